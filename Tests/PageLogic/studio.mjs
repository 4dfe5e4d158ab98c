// A server as small as the page's link needs: sheets of strokes that undo and clear take off again.
// What the real one does is in docs/studio-api.yaml; tests with a browser try both together.

const box = { x: 0, y: 0, width: 10, height: 10 };

/** What a failing server says. */
export function refusal(status, code = "test", message = "It cannot be taken.") {
  return { status, json: { error: { code, message } } };
}

export class Studio {
  models = [{ id: "m", name: "First" }];
  active = "m";
  isGuest = false;
  settings = { theme: "system", penSize: 6, guestsMayTeach: false };
  trainings = [];
  run = "run 1";
  /** Whether nobody answers, and the action whose answer is lost on its way. */
  isAway = false;
  loses = null;
  /** An answer instead of the usual one, for a request, or undefined. */
  answerInstead = () => undefined;
  requests = [];
  strokes = [];
  canvas = { width: 800, height: 600 };
  sequence = 0;
  /** The number of strokes that were ever drawn, and the actions that were done. */
  number = 0;
  happened = [];
  done = new Set();
  streams = [];

  // MARK: Requests

  async fetch(path, { method, body }) {
    const request = { method, path, body: body ? JSON.parse(body) : undefined };
    if (this.isAway) throw new TypeError("Failed to fetch");
    this.requests.push(request);
    const { status = 200, json } = await this.answerInstead(request) ?? this.answer(request);
    if (request.body?.actions?.some(({ action }) => action === this.loses)) {
      this.loses = null;
      throw new TypeError("Failed to fetch");
    }
    return status === 204 ? new Response(null, { status })
      : new Response(JSON.stringify(json), { status });
  }

  answer({ method, path, body }) {
    const [, name] = path.match(/^\/api\/(\w+)/);
    if (name === "state") return { json: this.state };
    if (name === "models") return { json: { models: this.models } };
    if (name === "settings") {
      this.settings = { ...this.settings, ...body };
      return { json: this.settings };
    }
    if (name === "playgrounds" && method === "POST") {
      return path.endsWith("/actions") ? this.act(body) : this.openSheet(body);
    }
    return refusal(404, "notFound");
  }

  get state() {
    const activeModel = this.models.find(({ id }) => id === this.active);
    const { isGuest, settings, trainings } = this;
    return { version: "1", isGuest, settings, trainings, limits: {}, activeModel };
  }

  openSheet({ id, model, canvas }) {
    if (!this.models.some((each) => each.id === model)) return refusal(404, "notFound");
    this.sheet = id;
    if (this.strokes.length === 0) this.canvas = canvas;
    return { json: this.snapshot };
  }

  get snapshot() {
    const shapes = this.strokes.map((stroke) => this.shapeOf(stroke));
    const { sheet: id, run, sequence, canvas } = this;
    return { id, run, sequence, canvas, canUndo: shapes.length > 0, shapes };
  }

  shapeOf({ id, number, columns, state = "pending" }) {
    return {
      shape: number, state, strokes: [number], ids: [id], ink: [columns], boundingBox: box,
    };
  }

  // MARK: Actions

  act({ client, run, actions }) {
    if (run !== undefined && run !== this.run) return refusal(409, "otherRun");
    for (const action of actions) {
      if (this.done.has(action.id)) continue;
      this.done.add(action.id);
      this.do(action, client);
    }
    return { json: { sequence: this.sequence } };
  }

  do({ action, id, strokes }, client) {
    this.happened.push(action);
    if (action === "stroke") {
      this.number += 1;
      const stroke = { id, number: this.number, columns: strokes[0] };
      this.strokes.push(stroke);
      this.tell({ event: "pending", client, ...this.shapeOf(stroke) });
    } else if (action === "undo") {
      const [last] = this.strokes.splice(-1);
      this.tell({ event: "undone", client, stroke: last?.number, removed: [], restored: [] });
    } else if (action === "clear") {
      this.strokes = [];
      this.tell({ event: "cleared", client });
    }
  }

  /** What lies there is decided on: it is an emoji. */
  decide() {
    for (const stroke of this.strokes) {
      stroke.state = "recognized";
      this.tell({ event: "recognized", ...this.shapeOf(stroke) });
    }
  }

  get ids() {
    return this.strokes.map(({ id }) => id);
  }

  // MARK: Events

  listen(stream) {
    if (this.isAway) {
      stream.dispatchEvent(new Event("error"));
      return;
    }
    this.streams.push(stream);
    send(stream, "hello", { run: this.run });
    if (stream.playground) send(stream, "canvas", this.snapshot);
  }

  forget(stream) {
    this.streams = this.streams.filter((each) => each !== stream);
  }

  tell(event) {
    this.sequence += 1;
    const told = { ...event, sequence: this.sequence };
    for (const stream of this.streams) if (stream.playground) send(stream, "canvas-event", told);
  }

  /** Nobody answers any more, and the streams break. */
  stop() {
    this.isAway = true;
    const [...broken] = this.streams;
    for (const stream of broken) stream.dispatchEvent(new Event("error"));
    this.streams = [];
  }

  /** A new run, which has the strokes that were kept. */
  start(isKept = () => true) {
    this.isAway = false;
    this.run = `run ${Number(this.run.split(" ")[1]) + 1}`;
    this.strokes = this.strokes.filter(isKept);
    this.done.clear();
    this.sequence = 0;
  }
}

function send(stream, kind, value) {
  stream.dispatchEvent(Object.assign(new Event(kind), { data: JSON.stringify(value) }));
}
