// The connection between the sheet and the server's live canvas: actions are sent in order and
// applied exactly once; their effects arrive by the event stream. There is one link for each model,
// and it outlives the screen: without a server or a screen, actions wait here.

import { api } from "./api.js";
import { identifier, later } from "./dom.js";
import { listenToServer, reconnect } from "./events.js";
import { keep, keptText, keptValue } from "./kept.js";
import { listen, load, store } from "./store.js";

/** The maximum number of actions per request. */
const most = 50;
/** The statuses of requests for which a retry is useless. */
const refusals = [400, 413, 422];
/**
 * The milliseconds before each retry of a failed request; after them only a new action retries.
 * Requests can fail while the event stream is open, so its reconnection is no reliable sign.
 */
const pauses = [1000, 3000, 8000, 20000];

/** How long a reloaded page does more than draw of what its predecessor stored, in milliseconds. */
const mostKept = 60_000;

const links = new Map();

export class PlaygroundLink {
  /** The link of a model; there is one. */
  static of(model) {
    if (!links.has(model)) links.set(model, new PlaygroundLink(model));
    return links.get(model);
  }

  /** Sends what earlier loads of the page could not send, on every screen. */
  static wakeAll() {
    for (const [model, id] of Object.entries(read())) {
      if (keptOf(id)) PlaygroundLink.of(model).goOn();
    }
  }

  constructor(model) {
    this.model = model;
    this.id = idOf(model);
    /** The page's name, which is in the events that its actions cause. */
    this.client = identifier();
    /** The actions that the server has not confirmed, and the newest that was done. */
    this.queue = [];
    this.last = null;
    /** The size of the sheet in whose units the waiting strokes are. */
    this.canvas = null;
    /** How many retries there were, and the timer of the next. */
    this.attempt = 0;
    this.timer = 0;
    /** The run of the server that the shown snapshot is from; null before the first. */
    this.run = null;
    this.takeUp();
    addEventListener("pagehide", () => this.keep());
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      // Out of the back/forward cache: another load may have taken over what waited.
      this.queue = [];
      this.takeUp();
      this.goOn();
    });
    /** The size of the server's sheet. An empty one takes that of its first stroke. */
    this.sheet = null;
    this.handlers = null;
    listen("connection", ({ isOpen }) => {
      if (!isOpen) return;
      // Without a screen there is no snapshot to tell whether it is the same run.
      if (!this.handlers) this.isOpen = false;
      this.goOn();
    });
  }

  /**
   * Connects a screen.
   * @param {object} handlers `onevent(event, isOwn)`, `onsnapshot(snapshot, isAnew)`,
   *   `onpause(error)`, `onresume()`, `onrefused(error, stroke)`.
   * @param {{width: number, height: number}} size The size of an empty sheet.
   */
  attach(handlers, size) {
    this.handlers = handlers;
    this.isListening = false;
    this.detaching = new AbortController();
    const { signal } = this.detaching;
    listen("canvas", (snapshot) => this.takeSnapshot(snapshot), signal);
    listen("canvas-event", (event) => this.takeEvent(event), signal);
    this.open(size);
  }

  /** Disconnects the screen. Waiting actions are still sent. */
  detach() {
    this.handlers = null;
    this.detaching.abort();
    listenToServer(null);
  }

  /** The strokes that the server is not known to have. */
  get waiting() {
    const waiting = this.queue.filter(({ stroke, isThere }) => stroke && !isThere);
    return waiting.map(({ stroke }) => stroke);
  }

  /** Opens it on the server, with one request at a time; a later size is sent after the answer. */
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
      if (error.status === 404) {
        // The model and its playground are deleted: the screen follows to another model.
        this.queue = [];
        await load().catch(() => {});
        if (store.model?.id !== this.model) return;
      }
      this.pause(error);
      return;
    }
    this.isOpening = false;
    this.isOpen = true;
    if (this.handlers) {
      // With an open stream to the same run the events may be newer than this answer.
      const isNews = snapshot.run !== this.run || snapshot.sequence >= this.sequence;
      if (!this.isListening || isNews) this.takeSnapshot(snapshot);
      else reconnect();
      this.isListening = true;
      listenToServer(this.id);
    } else {
      this.reconcile(snapshot);
    }
    this.goOn();
  }

  /**
   * Does an action; `stroke` is the page's stroke, whose `id` is in the events about it. The server
   * skips an action whose id it knows.
   */
  act(action, stroke = null) {
    this.last = { id: stroke?.id ?? identifier(), ...action };
    this.queue.push({ action: this.last, stroke });
    this.attempt = 0;
    this.goOn();
  }

  /** Sends waiting actions, once the playground is open. */
  goOn() {
    if (this.isOpen) this.send();
    else if (this.handlers || this.queue.length > 0) this.open();
  }

  /** Retries when someone asks for it. */
  retry() {
    this.attempt = 0;
    // Only a response shows that the server is reachable.
    this.isOpen = false;
    reconnect();
    this.goOn();
  }

  /** Sends waiting actions, one request at a time to keep the order. */
  send() {
    if (!this.isOpen || this.isSending) return;
    this.isSending = true;
    this.sending = this.sendAll().finally(() => {
      this.isSending = false;
    });
  }

  async sendAll() {
    let size = most;
    while (this.isOpen && this.queue.length > 0) {
      const batch = this.queue.slice(0, size);
      for (const each of batch) each.wasSent = true;
      try {
        await api.act(this.id, {
          client: this.client,
          run: this.run ?? undefined,
          now: performance.now(),
          canvas: this.canvas ?? undefined,
          actions: batch.map(({ action, stroke }) => ({
            ...action, ...(stroke && { strokes: [stroke.columns] }),
          })),
        });
        // A new run of the server may have left others waiting meanwhile.
        this.queue = this.queue.filter((each) => !batch.includes(each));
      } catch (error) {
        if (refusals.includes(error.status)) {
          // The rejected action is dropped; to find it, the actions of the request are sent one by
          // one.
          if (batch.length === 1) {
            const [refused] = batch;
            const { stroke, action: { id, pen, milliseconds } } = refused;
            // The pen of a rejected stroke is down on the server: it comes up without ink.
            const cancel = { id, action: "cancel", pen, milliseconds };
            if (stroke) Object.assign(refused, { action: cancel, stroke: null });
            else this.queue = this.queue.filter((each) => each !== refused);
            this.handlers?.onrefused(error, stroke);
          }
          size = 1;
          continue;
        }
        this.isOpen = false;
        // A restarted server has to open the playground again; that is tried once.
        const isLost = error.status === 404 || error.code === "otherRun";
        if (isLost && !this.wasLost) {
          this.wasLost = true;
          queueMicrotask(() => this.open());
        } else {
          this.pause(error);
        }
        return;
      }
      this.wasLost = false;
      this.attempt = 0;
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

  /** Pens that waiting actions put down may be anywhere: the sheet has other units now. */
  forgetPlaces() {
    for (const { action } of this.queue) {
      if (action.action === "begin") {
        delete action.x;
        delete action.y;
      }
    }
  }

  // MARK: Another load of the page

  /** Stores the waiting actions for a reload. */
  keep() {
    const key = waitingKey(this.id);
    const queue = this.queue.map(({ stroke, ...rest }) => ({ columns: stroke?.columns, ...rest }));
    // The stroke of a pen that is down is lost, and the server would wait for it.
    if (queue.at(-1)?.action.action === "begin") queue.pop();
    const { run, canvas, size } = this;
    const kept = queue.length === 0 ? null : JSON.stringify({
      run, canvas, size, queue, now: performance.now(), at: Date.now(),
    });
    keep(key, kept, "sessionStorage");
  }

  /** Takes over what an earlier load of this page stored, converted to this one's clock. */
  takeUp() {
    const text = keptOf(this.id);
    if (!text) return;
    keep(waitingKey(this.id), null, "sessionStorage");
    try {
      const kept = JSON.parse(text);
      const shift = performance.now() - kept.now;
      const queue = kept.queue.map(({ action, columns, ...rest }) => {
        const milliseconds = action.milliseconds + shift;
        const { id, pen } = action;
        const stroke = columns ? { ...later({ columns }, shift), id, pen, milliseconds } : null;
        return { ...rest, action: { ...action, milliseconds }, stroke };
      });
      const { run, canvas, size, at } = kept;
      // After a longer time an undo or a clear could delete the wrong strokes.
      const isOld = Date.now() - at >= mostKept;
      Object.assign(this, {
        run, canvas, size, queue: queue.filter(({ stroke }) => stroke || !isOld),
      });
    } catch {
      // The stored state cannot be read: no actions are waiting.
    }
  }

  // MARK: Events

  takeSnapshot(snapshot) {
    const isAnew = this.reconcile(snapshot);
    this.sequence = snapshot.sequence;
    this.sheet = snapshot.canvas;
    this.handlers.onsnapshot(snapshot, isAnew);
    if (isAnew) this.goOn();
  }

  /**
   * A restarted server knows no actions, but has what was stored: every stroke whose request it
   * answered, and maybe others. Returns whether it is such a server.
   */
  reconcile({ run, shapes }) {
    const isAnew = this.run !== null && run !== this.run;
    // What an earlier run told of a stroke is no sign that it was stored.
    if (isAnew) for (const waiting of this.queue) waiting.isThere = false;
    this.noteThere(shapes);
    if (isAnew) this.queue = this.notDone();
    this.run = run;
    return isAnew;
  }

  /** Marks the waiting strokes that the server already has. */
  noteThere(shapes) {
    const there = new Set(shapes.flatMap(({ ids }) => ids ?? []));
    for (const waiting of this.queue) {
      if (waiting.stroke && there.has(waiting.stroke.id)) waiting.isThere = true;
    }
  }

  /**
   * The waiting actions without those that an earlier run of the server stored although its
   * response was lost. An undo goes with what it takes back: both were stored, or neither was, or
   * the undo alone was not. One that was sent and takes back something older is dropped, as it may
   * have been stored.
   */
  notDone() {
    const left = [];
    /** How many of the actions so far undo can take back. */
    let undoable = 0;
    for (const waiting of this.queue) {
      const { action: { action, pen }, wasSent, isThere } = waiting;
      const last = left.findLast((each) => each.action.pen === pen);
      if (action === "undo") {
        if (undoable > 0 || !wasSent) left.push(waiting);
        undoable = Math.max(0, undoable - 1);
        continue;
      }
      if (!["begin", "cancel"].includes(action)) undoable += 1;
      if (isThere) {
        // The pen's "begin" is dropped with its stroke, or the server would wait for another.
        if (last?.action.action === "begin" && last === left.at(-1)) left.pop();
      } else if (action !== "cancel" || last?.action.action === "begin") {
        // A cancel needs its own "begin": otherwise it would cancel something else.
        left.push(waiting);
      }
    }
    return left;
  }

  takeEvent(event) {
    if (event.sequence <= this.sequence) return;
    if (event.sequence > this.sequence + 1) {
      // An event was missed: a new stream begins with a snapshot.
      reconnect();
      return;
    }
    this.sequence = event.sequence;
    this.noteThere([event]);
    this.handlers.onevent(event, event.client === this.client);
  }
}

function waitingKey(id) {
  return `drawml.waiting.${id}`;
}

/** The text that an earlier load of the page stored for a playground, or null. */
function keptOf(id) {
  return keptText(waitingKey(id), "sessionStorage");
}

/** Guests may use only playgrounds whose ids begin with this. */
const guestPrefix = "guest-";

/** The id of a model's playground on this device. */
function idOf(model) {
  const known = read();
  // The owner's may have been used in this browser before.
  if (store.isGuest && !known[model]?.startsWith(guestPrefix)) {
    known[model] = guestPrefix + identifier();
  }
  known[model] ??= identifier();
  // Where that is not kept, the next visit begins with an empty sheet.
  keep("drawml.playgrounds", JSON.stringify(known));
  return known[model];
}

function read() {
  const kept = keptValue("drawml.playgrounds");
  return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
}
