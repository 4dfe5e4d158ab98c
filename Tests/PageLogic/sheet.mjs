// What the Playground's screen is for its link: it knows the shapes that it was told of.

import { settle } from "./clock.mjs";

export class Sheet {
  /** The strokes that are shown, by number. */
  shown = new Map();
  /** What it was told, in order. */
  told = [];
  pauses = 0;
  refused = [];
  isPaused = false;

  constructor(tab, link) {
    [this.tab, this.link] = [tab, link];
    link.attach({
      onsnapshot: ({ shapes }, isAnew) => {
        this.shown = new Map(shapes.map((shape) => [shape.shape, shape]));
        this.told.push(isAnew ? "anew" : "snapshot");
      },
      onevent: ({ event, ...shape }, isOwn) => {
        if (event === "undone") this.shown.delete(shape.stroke);
        else if (event === "cleared") this.shown.clear();
        else this.shown.set(shape.shape, shape);
        this.told.push(`${event}${isOwn ? "" : " elsewhere"}`);
      },
      onpause: () => {
        this.pauses += 1;
        this.isPaused = true;
      },
      onresume: () => {
        this.isPaused = false;
      },
      onrefused: (error, stroke) => this.refused.push(stroke?.id ?? error.message),
    }, { width: 800, height: 600 });
  }

  /** A pen goes down at `x`, and comes up 50 ms later, unless it stays. */
  async draw(id, { x = 500, isDown = false } = {}) {
    const { clock } = this.tab;
    this.link.canvas = { width: 800, height: 600 };
    this.link.act({ action: "begin", pen: 0, milliseconds: performance.now(), x, y: 1 });
    if (!isDown) {
      const start = performance.now();
      clock.now += 50;
      const columns = [[x, x + 9], [1, 9], [start, performance.now()]];
      const stroke = { id, columns, pen: 0, milliseconds: performance.now() };
      this.link.act({ action: "stroke", pen: 0, milliseconds: stroke.milliseconds }, stroke);
    }
    await settle();
  }

  async do(action) {
    this.link.act({ action, milliseconds: performance.now() });
    await settle();
  }
}

/** The page with the active model's sheet, once the server has answered. */
export async function openSheet(tab) {
  globalThis.chooseTheme = () => {};
  const store = await tab.load("store.js");
  await store.load().catch(() => {});
  // Without a server the page still knows the model from before.
  store.store.model ??= { id: "m" };
  const { PlaygroundLink } = await tab.load("playground-link.js");
  const sheet = new Sheet(tab, PlaygroundLink.of(store.store.model.id));
  await settle();
  return sheet;
}
