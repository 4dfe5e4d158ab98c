// The page's line drawings: icons, the wordmark, and the pictures on the cards. Their lines have
// round ends, and a swash of yellow that is a little off its line, as in a cheap print.

import { make } from "./dom.js";

const icons = {
  home: "M4 11.5 12 5l8 6.6M6 10.4V19h12v-8.7M10 19v-5h4v5",
  train: "M5 19l1-4.4L16.4 4.3c.9-.8 2.2-.7 3 .1.8.9.8 2.1 0 3L9 17.9 5 19ZM14.5 6.3l3.2 3.2",
  play: "M12 3.5c.8 3.9 1.9 5.3 5.9 6.2-4 .9-5.1 2.3-5.9 6.3-.8-4-1.9-5.4-5.9-6.3"
    + " 4-.9 5.1-2.3 5.9-6.2ZM18.5 15.5c.3 1.6.8 2.2 2.5 2.5-1.7.4-2.2.9-2.5 2.6"
    + "-.4-1.7-.9-2.2-2.5-2.6 1.6-.3 2.1-.9 2.5-2.5Z",
  trace: "M5 19l1-4.4L16.4 4.3c.9-.8 2.2-.7 3 .1.8.9.8 2.1 0 3L9 17.9 5 19ZM13 20c.9-1.3 1.8-1.3 2.7 0"
    + "s1.8 1.3 2.7 0 1.8-1.3 2.7 0",
  labels: "M4 6h1.5M9 6h11M4 12h1.5M9 12h11M4 18h1.5M9 18h11",
  models: "M5 8.5 12 5l7 3.5-7 3.6-7-3.6ZM5 12.3l7 3.5 7-3.5M5 16l7 3.5 7-3.5",
  help: "M9 9.3c.2-1.8 1.5-2.9 3.2-2.9 1.9 0 3.2 1.2 3.2 2.9 0 2.4-3.2 2.5-3.2 5M12.2 17.9v.1",
  settings: "M5 7h8M17 7h2M5 17h2M11 17h8M15 4.8v4.4M9 14.8v4.4M5 12h14",
  undo: "M8.5 5 4.8 9l3.9 3.7M5.2 9h8.6c3.2 0 5.4 2.1 5.4 5s-2.2 5-5.4 5H10",
  redo: "M15.5 5l3.7 4-3.9 3.7M18.8 9h-8.6c-3.2 0-5.4 2.1-5.4 5s2.2 5 5.4 5H14",
  clear: "M9.5 19.2 4.7 14.5c-.7-.7-.7-1.5 0-2.2l7.4-7.4c.7-.7 1.5-.7 2.2 0l5 5c.7.7.7 1.5 0 2.2"
    + "L12 19.2H9.5ZM8.5 8.6l7 7M14 19.2h6",
  back: "M10.5 5.5 4.5 12l6 6.5M5 12h14.5",
  place: "M12 4v16M4 12h16M12 4 9.8 6.4M12 4l2.2 2.4M12 20l-2.2-2.4M12 20l2.2-2.4M4 12l2.4-2.2"
    + "M4 12l2.4 2.2M20 12l-2.4-2.2M20 12l-2.4 2.2",
  reset: "M18.5 8.4A7.6 7.6 0 1 0 19.6 13M19 3.8v4.8h-4.8",
  camera: "M4.5 8h3.6l1.7-2.6h4.4L15.9 8h3.6v11h-15zM12 16.5a3.2 3.2 0 1 0 0-6.4"
    + " 3.2 3.2 0 0 0 0 6.4Z",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  rename: "M5 19l1-4.4L16.4 4.3c.9-.8 2.2-.7 3 .1.8.9.8 2.1 0 3L9 17.9 5 19Z",
  delete: "M5 7.2h14M9.5 7V4.8h5V7M7 7.4l.8 11.8h8.4L17 7.4M10.3 11v5M13.7 11v5",
  add: "M12 5v14M5 12h14",
  web: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM4 12h16M12 4c2.6 2.2 3.8 4.9 3.8 8s-1.2 5.8-3.8 8"
    + "M12 4c-2.6 2.2-3.8 4.9-3.8 8s1.2 5.8 3.8 8",
  search: "M10.8 17.3a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.6 15.7 20 20",
  export: "M12 15V4.5M8 8.3l4-3.8 4 3.8M5 14.5V19h14v-4.5",
  import: "M12 4.5V15M8 11.2l4 3.8 4-3.8M5 14.5V19h14v-4.5",
  open: "M6.5 9.5 12 15l5.5-5.5",
  panel: "M4.5 5.5h15v13h-15zM14 5.5v13",
  why: "M12 4a6 6 0 0 1 3.6 10.8c-.7.6-1.1 1.2-1.2 2.2H9.6c-.1-1-.5-1.6-1.2-2.2A6 6 0 0 1 12 4Z"
    + "M9.8 20h4.4",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1"
    + "M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1",
  moon: "M19.5 14.2A7.8 7.8 0 0 1 9.8 4.5a7.8 7.8 0 1 0 9.7 9.7Z",
  system: "M4.5 5.5h15v10h-15zM9 19.5h6M12 15.5v4",
};

/** A line icon, 24 × 24; decoration, so the control around it has the name. */
export function icon(name) {
  const settings = { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" };
  return make("svg:svg", settings, make("svg:path", { d: icons[name] }));
}

/** Lines that CSS can draw one after another: each has a length of 1 and its place in the order. */
function linesOf(paths) {
  return paths.map((d, index) =>
    make("svg:path", { class: "line", d, pathLength: "1", style: { "--order": String(index) } }));
}

/** The product's name, written by hand. */
export function wordmark() {
  const letters = [
    "M8 10c1 11 1 22 0 33M8 11c17-3 27 4 27 16 0 11-11 18-28 16",
    "M46 22c1 7 1 14 0 21M46 30c2-6 7-9 13-7",
    "M84 27c-4-6-19-6-20 7 0 11 14 12 20 2M85 22c-1 8-1 15 2 21",
    "M96 22c2 8 4 15 7 21 4-6 6-12 8-19 2 7 4 13 8 19 4-6 6-13 8-21",
    "M140 43c1-12 2-22 3-32 5 9 9 16 13 23 4-8 8-15 13-23 1 10 2 20 3 32",
    "M184 11c-1 11-1 21-1 31 8 1 14 1 21 0",
  ];
  const name = { role: "img", "aria-label": "DrawML" };
  return make("svg:svg", { class: "wordmark", viewBox: "0 0 212 54", ...name },
    make("svg:path", { class: "swash", d: "M10 49c40-6 92 3 132-1 20-2 42-3 60-1" }),
    linesOf(letters));
}

/** The lines of the pictures on cards; the first is also the shape of the swash. */
const doodles = {
  train: [
    "M25 36c10-18 34-14 40 6 6-22 38-24 42 2 3 22-24 42-42 56C47 88 15 60 25 36Z",
    "M128 34 146 18c4-3 10 3 7 7l-16 18-13 4 4-13ZM141 22l8 8",
  ],
  playground: [
    "M78 12l14 30 32 4-24 22 6 32-28-16-29 16 6-32-23-22 32-4 14-30Z",
    "M68 56v5M88 55v5M68 73c6 6 15 6 20-1",
    "M22 30c3 0 5-3 6-7 1 4 3 6 6 7-3 1-5 3-6 7-1-4-3-6-6-7Z"
      + "M136 84c3 0 5-3 6-7 1 4 3 6 6 7-3 1-5 3-6 7-1-4-3-6-6-7Z",
  ],
  templates: [
    "M78 18l13 28 30 4-22 21 6 30-27-15-27 15 6-30-22-21 30-4 13-28Z",
    "M30 24c34-4 64-4 96 0 3 26 3 46 0 70-32 4-62 4-96 0-3-24-3-44 0-70Z",
    "M118 92 140 62c3-4 10 1 7 5l-21 30-11 6 3-11Z",
  ],
  capture: [
    "M44 14c22-3 44-3 66 1 2 28 2 56-1 88-22 3-44 2-66-1-2-28-2-58 1-88Z",
    "M54 28h12M54 52h12M54 76h12M74 24h24v14H74zM74 48h24v14H74zM74 72h24v14H74z",
    "M120 96 140 66c3-4 10 1 7 5l-20 30-11 6 4-11Z",
  ],
  art: [
    "M30 22c32-3 64-3 96 0 3 24 3 48 0 72-32 3-64 3-96 0-3-24-3-48 0-72Z",
    "M38 84l24-28 16 18 14-12 26 22M104 44a9 9 0 1 0 .1 0",
    "M122 100 144 66c3-4 10 1 7 5l-21 34-10 5 2-10Z",
  ],
  models: [
    "M38 34c24-3 50-3 74 0 3 20 3 42 0 62-24 3-50 3-74 0-3-20-3-42 0-62Z",
    "M54 24c22-3 46-3 68 0 3 18 3 38 1 56",
    "M64 58v5M86 58v5M60 74c8 9 22 9 30 0",
  ],
  help: [
    "M78 14a34 34 0 0 1 20 62c-4 4-6 8-7 14H65c-1-6-3-10-7-14a34 34 0 0 1 20-62Z",
    "M67 100h22M71 108h14",
    "M69 54c5-8 13-8 18 0M78 50v38",
    "M30 46h-9M34 24l-7-5M126 46h9M122 24l7-5",
  ],
  empty: [
    "M26 88c14-6 22-26 38-30 13-3 11 20 24 20 14 0 15-30 34-36",
    "M122 42l16-16c4-3 9 2 6 6l-15 16-11 4 4-10Z",
  ],
};

/** A picture on a card. */
export function doodle(name) {
  return linePicture(doodles[name], 160);
}

/** A picture of lines, 116 high, over a swash in the shape of the first of them. */
export function linePicture(lines, width) {
  const settings = { class: "doodle", viewBox: `0 0 ${width} 116`, "aria-hidden": "true" };
  const swash = make("svg:path", { class: "swash", d: lines[0] });
  return make("svg:svg", settings,
    make("svg:g", { transform: "translate(6 4)" }, swash), linesOf(lines));
}
