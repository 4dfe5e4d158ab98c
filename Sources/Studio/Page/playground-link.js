// The line between the sheet and the server's live canvas: what is drawn goes out in order and exactly once, what happens
// comes in by the event stream. There is one for each model, and it outlives the screen: without a server, or after a look
// elsewhere, everything waits here, and nothing is lost.

import { api } from "./api.js";
import { identifier } from "./dom.js";
import { listenToServer, reconnect } from "./events.js";
import { listen } from "./store.js";

/** So many actions go in one request. */
const most = 50;
/** What the server cannot take, however often it is sent. */
const refusals = [400, 413, 422];
/**
 * After so many milliseconds what could not be sent is tried again, then only when somebody does something: answers may fail
 * while the event stream stays up, and would not say when they come again.
 */
const pauses = [1000, 3000, 8000, 20000];

const links = new Map();

export class PlaygroundLink {
  /** The link of a model; there is one. */
  static of(model) {
    if (!links.has(model)) links.set(model, new PlaygroundLink(model));
    return links.get(model);
  }

  constructor(model) {
    this.model = model;
    this.id = idOf(model);
    // This page, and how many actions it has sent: a server that already took some of a body skips those.
    this.client = identifier();
    this.count = 0;
    this.queue = [];
    /** The size of the sheet on which the strokes were drawn that wait; they are in its units. */
    this.canvas = null;
    /** How often it was tried again by itself, and the timer of the next time. */
    this.attempt = 0;
    this.timer = 0;
    this.takeUp();
    addEventListener("pagehide", () => this.keep());
    /** The size that the server's sheet has. An empty one takes that of its first stroke. */
    this.sheet = null;
    this.handlers = null;
    this.late = [];
    this.own = new Set();
    /** The run of the server that the picture here is of; null before the first. */
    this.run = null;
    // A page that nobody sees hears nothing: its picture grows old.
    this.isBehind = false;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.isBehind = true;
    });
    listen("connection", ({ isOpen }) => {
      if (isOpen) this.goOn();
    });
  }

  /**
   * A screen shows the playground from now on.
   * @param {object} handlers `lost(snapshot)`: the strokes that were sent and are not there any more, `onsnapshot(snapshot, isAnew)`, `onevent(event, isOwn)`, `onnumbers([[stroke, number]])`, `onpause(error)`,
   *   `onresume()`, `onrefused(error, stroke)`.
   * @param {{width: number, height: number}} size What an empty sheet's canvas shall be.
   */
  attach(handlers, size) {
    this.handlers = handlers;
    this.isListening = false;
    this.ends = [
      listen("canvas", (snapshot) => this.defer(() => this.takeSnapshot(snapshot))),
      listen("canvas-event", (event) => this.defer(() => this.takeEvent(event))),
    ];
    this.open(size);
  }

  /** No screen shows it any more; what waits is sent all the same. */
  detach() {
    this.handlers = null;
    for (const end of this.ends) end();
    this.late = [];
    listenToServer(null);
  }

  /** The strokes that the server does not know yet. */
  get waiting() {
    return this.queue.map(({ stroke }) => stroke).filter(Boolean);
  }

  /** Opens it on the server. One request at a time: what is asked for meanwhile is asked for behind it. */
  async open(size = this.size) {
    this.size = size;
    this.isOpen = false;
    if (this.isOpening) return;
    this.isOpening = true;
    let snapshot;
    try {
      await this.sending;
      do {
        size = this.size;
        snapshot = await api.openPlayground({ id: this.id, model: this.model, canvas: size });
      } while (size !== this.size);
    } catch (error) {
      this.isOpening = false;
      // The model is gone, and its playground with it.
      if (error.status === 404) this.queue = [];
      this.pause(error);
      return;
    }
    this.isOpening = false;
    this.isOpen = true;
    if (this.handlers) {
      if (!this.isListening) this.takeSnapshot(snapshot);
      // A stream is open already, and may have told of more than this answer knows; not so that of another run.
      else if (snapshot.run !== this.run || snapshot.sequence >= this.sequence) this.takeSnapshot(snapshot);
      else reconnect();
      this.isListening = true;
      listenToServer(this.id);
    } else {
      this.run = snapshot.run;
    }
    this.goOn();
  }

  /** Does an action; `stroke` is the page's own stroke that will get a number. */
  act(action, stroke = null) {
    this.queue.push({ action, stroke, number: this.count });
    this.count += 1;
    this.attempt = 0;
    this.goOn();
  }

  /** What waits is sent, if anything can be. */
  goOn() {
    if (this.isOpen) this.send();
    else if (this.handlers || this.queue.length > 0) this.open();
  }

  /** Tries again, by somebody's wish. */
  retry() {
    this.attempt = 0;
    reconnect();
    this.goOn();
  }

  /** Sends what waits; one request at a time, so that the order stays. */
  send() {
    if (!this.isOpen || this.isSending) return;
    this.isSending = true;
    this.sending = this.sendAll().finally(() => {
      this.isSending = false;
      this.flush();
    });
  }

  async sendAll() {
    let size = most;
    while (this.isOpen && this.queue.length > 0) {
      const batch = this.queue.slice(0, size);
      try {
        const { events, strokes } = await api.act(this.id, {
          client: this.client, first: batch[0].number, run: this.run ?? undefined, now: performance.now(), canvas: this.canvas ?? undefined,
          actions: batch.map(({ action, stroke }) => (stroke ? { ...action, strokes: [stroke.columns] } : action)),
        });
        this.queue.splice(0, batch.length);
        for (const { sequence } of events) this.own.add(sequence);
        this.handlers?.onnumbers(batch.filter(({ action }) => action.action === "stroke")
          .map(({ stroke }, index) => [stroke, strokes[index]]).filter(([stroke, number]) => stroke && Number.isInteger(number)));
      } catch (error) {
        if (refusals.includes(error.status)) {
          // What cannot be taken would block all that comes behind it; what came with it is sent on its own.
          if (batch.length === 1) {
            const [{ action, stroke, number }] = this.queue.splice(0, 1);
            // Its pen is still down there, and all would wait for it: it comes up in the stroke's place.
            if (stroke) this.queue.unshift({ action: { action: "cancel", milliseconds: action.milliseconds, pen: action.pen }, stroke: null, number });
            this.handlers?.onrefused(error, stroke);
          }
          size = 1;
          continue;
        }
        this.isOpen = false;
        // A server that has lost the playground, or was started again before anyone heard of it, is asked for it once.
        if ((error.status === 404 || error.code === "otherRun") && !this.wasLost) {
          this.wasLost = true;
          queueMicrotask(() => this.open());
        } else {
          this.pause(error);
        }
        return;
      }
      this.wasLost = false;
      this.attempt = 0;
      // Events may overtake the answer that tells the numbers of the strokes they speak of.
      this.flush();
    }
    this.resume();
  }

  pause(error) {
    this.isPaused = true;
    this.handlers?.onpause(error);
    if (this.queue.length === 0 || this.timer || this.attempt === pauses.length) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.attempt += 1;
      this.goOn();
    }, pauses[this.attempt]);
  }

  resume() {
    if (!this.isOpen) return;
    this.isPaused = false;
    this.handlers?.onresume();
  }

  // MARK: Another load of the page

  /** What waits outlives a reload. */
  keep() {
    const key = waitingKey(this.id);
    try {
      if (this.queue.length === 0) sessionStorage.removeItem(key);
      else {
        const queue = this.queue.map(({ action, stroke, number }) => ({ action, columns: stroke?.columns, number }));
        sessionStorage.setItem(key, JSON.stringify({ client: this.client, count: this.count, canvas: this.canvas, now: performance.now(), queue }));
      }
    } catch {
      // There is no room for it.
    }
  }

  /** Takes up what an earlier load of this page could not send, by this one's clock. */
  takeUp() {
    const key = waitingKey(this.id);
    try {
      const { client, count, canvas, now, queue } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
      if (!Array.isArray(queue)) return;
      const shift = performance.now() - now;
      this.queue = queue.map(({ action, columns, number }) => {
        const milliseconds = action.milliseconds + shift;
        const stroke = columns && { columns: [columns[0], columns[1], columns[2].map((t) => t + shift)], pen: action.pen, milliseconds };
        return { action: { ...action, milliseconds }, stroke: stroke ?? null, number };
      });
      Object.assign(this, { client, count, canvas });
      sessionStorage.removeItem(key);
    } catch {
      // Then nothing waits.
    }
  }

  // MARK: What comes in

  defer(task) {
    if (this.isSending) this.late.push(task);
    else task();
  }

  flush() {
    while (this.late.length > 0) this.late.shift()();
  }

  takeSnapshot(snapshot) {
    // A server that was started again counts anew. What it was told and had not kept yet is sent once more; not by a page
    // that was hidden, as it does not know what was kept or taken off since.
    const isAnew = this.run !== null && snapshot.run !== this.run;
    const lost = isAnew && !this.isBehind ? this.handlers.lost(snapshot) : [];
    this.run = snapshot.run;
    this.isBehind = false;
    if (lost.length > 0) {
      const again = lost.map((stroke) => ({ action: { action: "stroke", milliseconds: stroke.milliseconds, pen: stroke.pen }, stroke }));
      this.queue = [...again, ...this.queue].map((waiting) => ({ ...waiting, number: this.count++ }));
    }
    this.sequence = snapshot.sequence;
    this.sheet = snapshot.canvas;
    this.own.clear();
    this.handlers.onsnapshot(snapshot, isAnew);
    if (lost.length > 0) this.goOn();
  }

  takeEvent(event) {
    if (event.sequence <= this.sequence) return;
    if (event.sequence > this.sequence + 1) {
      // Something was missed: the snapshot of a new stream is the truth.
      reconnect();
      return;
    }
    this.sequence = event.sequence;
    this.handlers.onevent(event, this.own.delete(event.sequence));
  }
}

function waitingKey(id) {
  return `drawml.waiting.${id}`;
}

/** The id of a model's playground on this device. */
function idOf(model) {
  const known = read();
  known[model] ??= identifier();
  try {
    localStorage.setItem("drawml.playgrounds", JSON.stringify(known));
  } catch {
    // Then the next visit begins with an empty sheet.
  }
  return known[model];
}

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem("drawml.playgrounds") ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}
