// The line between the sheet and the server's live canvas: what is drawn goes out in order and exactly once, what happens
// comes in by the event stream. Without a server everything waits here, and nothing is lost.

import { api } from "./api.js";
import { identifier } from "./dom.js";
import { listenToServer, reconnect } from "./events.js";
import { listen, tell } from "./store.js";

/** This page load, and how many actions it has sent: a server that already took some of a body skips those. */
const client = identifier();
let actionCount = 0;

export class PlaygroundLink {
  /**
   * @param {string} id The playground.
   * @param {object} handlers `onsnapshot(snapshot)`, `onevent(event)`, `onnumbers([[stroke, number]])`, `onpause(error)`,
   *   `onresume()`, `onrefused(error, strokes)`, `ongone(error)`.
   */
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    this.queue = [];
    this.isSending = false;
    this.isPaused = false;
    this.late = [];
    this.sequence = -1;
    this.ends = [
      listen("canvas", (snapshot) => this.defer(() => this.takeSnapshot(snapshot))),
      listen("canvas-event", (event) => this.defer(() => this.takeEvent(event))),
      listen("connection", ({ isOpen }) => {
        if (isOpen && this.isPaused) this.send();
      }),
    ];
    listenToServer(id);
  }

  close() {
    this.isClosed = true;
    for (const end of this.ends) end();
    listenToServer(null);
  }

  /** Whether everything that was drawn is known to the server. */
  get isSettled() {
    return this.queue.length === 0 && !this.isSending;
  }

  /** Sends an action; `stroke` is the page's own stroke that will get a number. */
  act(action, stroke = null) {
    this.queue.push({ action, stroke, number: actionCount });
    actionCount += 1;
    this.send();
  }

  /** Sends what waits; one request at a time, so that the order stays. */
  async send() {
    if (this.isSending || this.isClosed || this.queue.length === 0) return;
    this.isSending = true;
    const batch = this.queue.slice(0, 50);
    try {
      const answer = await api.act(this.id, {
        client, first: batch[0].number, now: performance.now(), actions: batch.map(({ action }) => action),
      });
      this.queue.splice(0, batch.length);
      this.number(batch, answer);
      if (this.isPaused) {
        this.isPaused = false;
        this.handlers.onresume();
      }
    } catch (error) {
      this.isSending = false;
      if (this.isClosed) return;
      if (error.status === 404) {
        this.handlers.ongone(error);
        return;
      }
      // What the server can't read would block all that comes behind it.
      if (error.status >= 400 && error.status < 500) {
        this.queue.splice(0, batch.length);
        this.handlers.onrefused(error, batch.map(({ stroke }) => stroke).filter(Boolean));
      } else {
        this.isPaused = true;
        this.handlers.onpause(error);
        return;
      }
    }
    this.isSending = false;
    this.flush();
    if (this.queue.length > 0) this.send();
  }

  /** Tries again, by somebody's wish. */
  retry() {
    reconnect();
    this.send();
  }

  // MARK: What comes in

  /** Events may overtake the answer that tells the numbers of the strokes they speak of. */
  defer(task) {
    if (this.isSending) this.late.push(task);
    else task();
  }

  flush() {
    while (!this.isSending && this.late.length > 0) this.late.shift()();
  }

  number(batch, answer) {
    const strokes = batch.map(({ stroke }) => stroke).filter(Boolean);
    if (strokes.length === 0) return;
    let numbers = answer?.strokes;
    if (!Array.isArray(numbers)) {
      // Each stroke is in exactly one shape, and a shape that gets one says so.
      const named = new Set((answer?.events ?? []).flatMap((event) => (Array.isArray(event.strokes) ? event.strokes : [])));
      numbers = [...named].sort((a, b) => a - b).slice(-strokes.length);
    }
    this.handlers.onnumbers(strokes.map((stroke, index) => [stroke, numbers[index]]).filter(([, number]) => Number.isInteger(number)));
  }

  takeSnapshot(snapshot) {
    this.sequence = snapshot.sequence ?? this.sequence;
    this.handlers.onsnapshot(snapshot, this.queue.map(({ stroke }) => stroke).filter(Boolean));
  }

  takeEvent(event) {
    if (typeof event.sequence === "number") {
      if (event.sequence <= this.sequence) return;
      if (this.sequence >= 0 && event.sequence > this.sequence + 1) {
        // Something was missed: the snapshot of a new stream is the truth.
        reconnect();
        return;
      }
      this.sequence = event.sequence;
    }
    this.handlers.onevent(event);
  }
}

/** The playground of a model on this device, and how to begin another. */
export const playgrounds = {
  idOf(model) {
    const known = read();
    return known[model] ?? this.renew(model);
  },
  renew(model) {
    const known = read();
    known[model] = identifier();
    try {
      localStorage.setItem("drawml.playgrounds", JSON.stringify(known));
    } catch {
      // Then the next visit begins with an empty sheet.
    }
    tell("playground-id", known[model]);
    return known[model];
  },
};

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem("drawml.playgrounds") ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}
