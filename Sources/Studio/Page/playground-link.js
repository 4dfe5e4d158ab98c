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

/** For so many milliseconds a load of the page believes what the one before held, and does what was asked of it. */
const mostHeld = 60_000;

const links = new Map();

export class PlaygroundLink {
  /** The link of a model; there is one. */
  static of(model) {
    if (!links.has(model)) links.set(model, new PlaygroundLink(model));
    return links.get(model);
  }

  /** Sends what earlier loads of the page could not, whichever screen is open. */
  static wakeAll() {
    for (const [model, id] of Object.entries(read())) {
      if (keptOf(id)) PlaygroundLink.of(model).goOn();
    }
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
    /** What an earlier load of the page held, or a screen that was left; null where there was none. */
    this.heldBefore = null;
    /** How often it was tried again by itself, and the timer of the next time. */
    this.attempt = 0;
    this.timer = 0;
    /** The run of the server that the picture here is of; null before the first. */
    this.run = null;
    this.takeUp();
    /** Whether another load takes up what is kept. */
    this.isLeft = false;
    addEventListener("pagehide", () => {
      if (!this.isLeft) this.keep();
    });
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.comeBack();
    });
    /** The size that the server's sheet has. An empty one takes that of its first stroke. */
    this.sheet = null;
    this.handlers = null;
    this.late = [];
    // A page that nobody sees hears nothing: its picture grows old.
    this.isBehind = false;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.isBehind = true;
    });
    listen("connection", ({ isOpen }) => {
      if (!isOpen) return;
      // Without a screen no snapshot says whether it is the same run.
      if (!this.handlers) this.isOpen = false;
      this.goOn();
    });
  }

  /**
   * A screen shows the playground from now on.
   * @param {object} handlers `held()`: the strokes as in `held`, `onsnapshot(snapshot, isAnew, known)` with strokes of this page that it may have, `onevent(event, isOwn)`,
   *   `onpause(error)`, `onresume()`, `onrefused(error, stroke)`.
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
    this.heldBefore = this.held;
    this.handlers = null;
    for (const end of this.ends) end();
    this.late = [];
    listenToServer(null);
  }

  /** The strokes that the server does not know yet, as far as one knows. */
  get waiting() {
    return this.queue.filter(({ stroke, isThere }) => stroke && !isThere).map(({ stroke }) => stroke);
  }

  /**
   * What was sent and is not decided on: `{strokes, at}`, with when that was known; null where that is not known, as by a page
   * that was hidden since, or was too long ago.
   */
  get held() {
    if (this.isBehind) return null;
    const held = this.heldBefore ?? (this.handlers ? { strokes: this.handlers.held(), at: Date.now() } : null);
    return held && Date.now() - held.at < mostHeld ? held : null;
  }

  get isHolding() {
    return Boolean(this.held?.strokes.length > 0);
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
      if (error.status === 404) [this.queue, this.heldBefore] = [[], null];
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
      this.reconcile(snapshot);
    }
    this.goOn();
  }

  /** Does an action; `stroke` is the page's own stroke, by whose `id` it will be told of. */
  act(action, stroke = null) {
    this.queue.push({ action, stroke, number: this.count });
    this.count += 1;
    this.attempt = 0;
    this.goOn();
  }

  /** What waits is sent, if anything can be. */
  goOn() {
    if (this.isOpen) this.send();
    else if (this.handlers || this.queue.length > 0 || this.isHolding) this.open();
  }

  /** Tries again, by somebody's wish. */
  retry() {
    this.attempt = 0;
    // Only an answer says that the server is there.
    this.isOpen = false;
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
      for (const each of batch) each.wasSent = true;
      try {
        await api.act(this.id, {
          client: this.client, first: batch[0].number, run: this.run ?? undefined, now: performance.now(), canvas: this.canvas ?? undefined,
          actions: batch.map(({ action, stroke }) => (stroke ? { ...action, id: stroke.id, strokes: [stroke.columns] } : action)),
        });
        this.queue.splice(0, batch.length);
      } catch (error) {
        if (refusals.includes(error.status)) {
          // What cannot be taken would block all that comes behind it; what came with it is sent on its own.
          if (batch.length === 1) {
            const [refused] = this.queue.splice(0, 1);
            const { stroke } = refused;
            if (stroke) this.queue.unshift(withoutInk(refused));
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
    clearTimeout(this.timer);
    this.timer = 0;
    this.isPaused = false;
    this.handlers?.onresume();
  }

  // MARK: Another load of the page

  /** What waits outlives a reload, and what was sent and not decided on outlives a server that is killed meanwhile. */
  keep() {
    const key = waitingKey(this.id);
    const queue = this.queue.map(({ action, stroke, number, wasSent, isThere }) => ({ action, id: stroke?.id, columns: stroke?.columns, number, wasSent, isThere }));
    // The line of a pen that is down is not there any more, and would be waited for.
    if (queue.at(-1)?.action.action === "begin") queue.pop();
    const { held } = this;
    try {
      if (queue.length === 0 && !this.isHolding) {
        sessionStorage.removeItem(key);
        return;
      }
      sessionStorage.setItem(key, JSON.stringify({
        client: this.client, count: this.count, run: this.run, canvas: this.canvas, size: this.size, now: performance.now(), at: Date.now(), queue,
        held: held && { ...held, strokes: held.strokes.map(({ id, columns, pen, milliseconds }) => ({ id, columns, pen, milliseconds })) },
      }));
    } catch {
      // There is no room for it.
    }
  }

  /** Takes up what an earlier load of this page could not send, by this one's clock. */
  takeUp() {
    const text = keptOf(this.id);
    if (!text) return;
    try {
      sessionStorage.removeItem(waitingKey(this.id));
      const kept = JSON.parse(text);
      const shift = performance.now() - kept.now;
      const moved = ({ id = identifier(), columns: [xs, ys, ts], pen, milliseconds }) => ({ id, columns: [xs, ys, ts.map((t) => t + shift)], pen, milliseconds: milliseconds + shift });
      const queue = kept.queue.map(({ action, id, columns, ...rest }) => ({
        action: { ...action, milliseconds: action.milliseconds + shift }, stroke: columns ? moved({ ...action, id, columns }) : null, ...rest,
      }));
      const { client, count, run, canvas, size, held, at } = kept;
      Object.assign(this, { client, count, run, canvas, size, queue });
      if (held) this.heldBefore = { ...held, strokes: held.strokes.map(moved) };
      // What was long ago may have been cleared since, and much may have been drawn that an undo or a clearing did not mean.
      if (Date.now() - at >= mostHeld) this.queue = this.numbered(queue.filter(({ stroke }) => stroke));
    } catch {
      // Then nothing waits.
    }
  }

  /** The page comes back from the browser's cache: another load may have sent what it kept, and gone on with its numbers. */
  comeBack() {
    if (this.queue.length > 0) {
      this.isLeft = true;
      location.reload();
      return;
    }
    [this.client, this.count] = [identifier(), 0];
  }

  // MARK: What comes in

  /** What comes while something is being sent waits for the answer: a run that begins anew gives what waits other numbers. */
  defer(task) {
    if (this.isSending) this.late.push(task);
    else task();
  }

  flush() {
    while (this.late.length > 0) this.late.shift()();
  }

  takeSnapshot(snapshot) {
    // What was drawn before the screen was left, or the page was loaded again, is held on to.
    const known = [...this.held?.strokes ?? [], ...this.queue.map(({ stroke }) => stroke).filter(Boolean)];
    const { isAnew, hasLost } = this.reconcile(snapshot);
    this.sequence = snapshot.sequence;
    this.sheet = snapshot.canvas;
    this.handlers.onsnapshot(snapshot, isAnew, known);
    if (hasLost) this.goOn();
  }

  /**
   * A server that was started again counts anew. What it was told and had not kept yet is sent once more; not by a page that
   * was hidden, as it does not know what was kept or taken off since.
   */
  reconcile(snapshot) {
    const { held } = this;
    const isAnew = this.run !== null && snapshot.run !== this.run;
    const there = this.noteThere(snapshot.shapes);
    let lost = [];
    if (isAnew) {
      lost = (held?.strokes ?? []).filter(({ id }) => !there.has(id));
      const again = lost.map((stroke) => ({ action: { action: "stroke", milliseconds: stroke.milliseconds, pen: stroke.pen }, stroke }));
      this.queue = this.numbered([...again, ...this.notDone()]);
    }
    this.run = snapshot.run;
    this.isBehind = false;
    if (isAnew || this.handlers) this.heldBefore = null;
    return { isAnew, hasLost: lost.length > 0 };
  }

  /** What waits for an answer may be told of before: then the server has it, for as long as it runs. Returns the ids of all told strokes. */
  noteThere(shapes) {
    const there = new Set(shapes.flatMap(({ ids }) => ids ?? []));
    for (const waiting of this.queue) {
      if (waiting.stroke && there.has(waiting.stroke.id)) waiting.isThere = true;
    }
    return there;
  }

  /**
   * What waits, without what an earlier run of the server did though no answer came: this one does not know who sent what
   * it kept. An undo may have been done, and would take more; who wants it still asks again.
   */
  notDone() {
    const left = [];
    for (const waiting of this.queue) {
      const { action: { action, pen }, wasSent, isThere } = waiting;
      const last = left.findLast((each) => each.action.pen === pen);
      if (isThere) {
        // With a stroke its pen's beginning goes, which would be waited for.
        if (last?.action.action === "begin" && last === left.at(-1)) left.pop();
      } else if (action === "undo" ? !wasSent : action !== "cancel" || last?.action.action === "begin") {
        // A pen that was put down before is not down there, and what it drew before is not meant.
        left.push(waiting);
      }
    }
    return left;
  }

  /** Actions with new numbers: a run that was told nothing of them yet has them all to do. */
  numbered(actions) {
    return actions.map((waiting) => ({ ...waiting, number: this.count++ }));
  }

  takeEvent(event) {
    if (event.sequence <= this.sequence) return;
    if (event.sequence > this.sequence + 1) {
      // Something was missed: the snapshot of a new stream is the truth.
      reconnect();
      return;
    }
    this.sequence = event.sequence;
    this.noteThere([event]);
    this.handlers.onevent(event, event.client === this.client);
  }
}

/** What takes a stroke's place that is not sent: its pen is down there, and all would wait for it. */
function withoutInk({ action: { milliseconds, pen }, number }) {
  return { action: { action: "cancel", milliseconds, pen }, stroke: null, number };
}

function waitingKey(id) {
  return `drawml.waiting.${id}`;
}

/** What an earlier load of the page kept for a playground, as text; null where there is nothing, or nothing may be kept. */
function keptOf(id) {
  try {
    return sessionStorage.getItem(waitingKey(id));
  } catch {
    return null;
  }
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
