// A browser's tab without a screen: what those of the page's modules need that talk to the server.

import { Clock, settle } from "./clock.mjs";
import { openPage } from "./page.mjs";

/** A store of texts, as `localStorage`; a forbidden one throws. */
class Storage {
  texts = new Map();
  isForbidden = false;

  use() {
    if (this.isForbidden) throw new DOMException("no", "SecurityError");
    return this.texts;
  }

  getItem(key) {
    return this.use().get(key) ?? null;
  }

  setItem(key, text) {
    this.use().set(key, String(text));
  }

  removeItem(key) {
    this.use().delete(key);
  }
}

export class Tab {
  /** @param {object} studio What answers: `fetch(path, options)`, `listen(stream)`. */
  constructor(studio) {
    this.studio = studio;
    this.clock = new Clock();
    globalThis.localStorage = new Storage();
    globalThis.sessionStorage = new Storage();
    this.open();
  }

  /** Loads the page; `load("store.js")` resolves to a module of it. */
  open() {
    const [tab, window] = [this, new EventTarget()];
    this.clock.timers.clear();
    this.clock.opened = this.clock.now;
    this.window = window;
    /** The streams that are open. */
    this.streams = [];
    /** How often the page has tried to open a stream. */
    this.tries = 0;
    globalThis.addEventListener = window.addEventListener.bind(window);
    globalThis.document = Object.assign(new EventTarget(), {
      visibilityState: "visible", documentElement: { dataset: {} }, querySelector: () => null,
    });
    globalThis.fetch = (path, options) => this.studio.fetch(path, options);
    globalThis.EventSource = class extends EventTarget {
      constructor(path) {
        super();
        tab.tries += 1;
        tab.streams.push(this);
        this.playground = new URLSearchParams(path.split("?")[1]).get("playground");
        queueMicrotask(() => tab.streams.includes(this) && tab.studio.listen(this));
      }

      close() {
        tab.streams = tab.streams.filter((each) => each !== this);
        tab.studio.forget(this);
      }
    };
    this.load = openPage();
  }

  /** Something of the window: "keydown", "pagehide", … */
  happens(kind, details = {}) {
    this.window.dispatchEvent(Object.assign(new Event(kind), details));
  }

  async show(isVisible) {
    document.visibilityState = isVisible ? "visible" : "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    await settle();
  }

  /** Leaves the page and loads it again. */
  async reload() {
    this.happens("pagehide", { persisted: false });
    for (const stream of this.streams) stream.close();
    await settle();
    this.open();
  }
}
