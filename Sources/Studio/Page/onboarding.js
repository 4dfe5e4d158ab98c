// The short guide (F-011): Draw → Label → Train → Test, on the first launch and whenever Help is asked for it.

import { animate, fill, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { changeSettings, store } from "./store.js";

/** The steps; Help shows them too. */
export const steps = [
  {
    title: "Draw",
    words: "Draw a shape on the sheet, with a finger, a pen or the mouse. A wobbly star is a fine star.",
    picture: { lines: ["M60 18l13 28 31 4-23 21 6 31-27-16-28 16 7-31-23-21 31-4 13-28Z"], swash: "M66 22l13 28 31 4-23 21 6 31-27-16-28 16 7-31-23-21 31-4 13-28Z" },
  },
  {
    title: "Label",
    words: "Pick the emoji it should become, and add the sample. Do it a few times: each drawing is a bit different.",
    picture: { lines: ["M22 40c0-6 4-10 10-10h38l24 30-24 30H32c-6 0-10-4-10-10V40Z", "M40 60h.1"], swash: "M28 45c0-6 4-10 10-10h38l24 30-24 30H38c-6 0-10-4-10-10V45Z" },
  },
  {
    title: "Train",
    words: "Press Train Model. It compares your drawings and learns what makes each of them special.",
    picture: { lines: ["M30 84c-8-8-8-20 0-26-4-12 6-22 17-20 4-10 22-10 26 0 11-2 21 8 17 20 8 6 8 18 0 26-8 10-20 8-26 2-8 8-26 8-34-2Z", "M60 34v54M46 56c6 0 8 4 8 9M76 58c-6 0-9 3-9 8"], swash: "M36 89c-8-8-8-20 0-26-4-12 6-22 17-20 4-10 22-10 26 0 11-2 21 8 17 20 8 6 8 18 0 26-8 10-20 8-26 2-8 8-26 8-34-2Z" },
  },
  {
    title: "Test",
    words: "Draw in the Playground. What it knows turns into its emoji; what it does not know shakes its head.",
    picture: { lines: ["M26 42h68v50H26z", "M26 42l10-16h48l10 16", "M48 60v5M72 60v5M50 76c6 6 14 6 20 0", "M104 24c3 0 5-3 6-7 1 4 3 6 6 7-3 1-5 3-6 7-1-4-3-6-6-7Z"], swash: "M32 47h68v50H32z" },
  },
];

/** A step's picture. */
export function stepPicture({ picture }) {
  return make("svg:svg", { class: "doodle", viewBox: "0 0 124 116", "aria-hidden": "true", focusable: "false" },
    make("svg:path", { class: "swash", d: picture.swash }),
    picture.lines.map((d, index) => make("svg:path", { class: "line", d, pathLength: "1", style: { "--order": String(index) } })));
}

/** Shows the guide if nobody has seen it. */
export function offerTips() {
  if (!store.settings.onboardingSeen) showTips();
}

/** Shows the guide. */
export function showTips() {
  let index = 0;
  const stage = make("div", { class: "tips-stage", "aria-live": "polite" });
  const dots = make("ol", { class: "tips-dots" });
  const back = make("button", { class: "button is-quiet", type: "button", text: "Back", onclick: () => turn(-1) });
  const next = make("button", { class: "button is-primary", type: "button", onclick: () => turn(1) });
  const dialog = openDialog({
    title: "How DrawML learns",
    kind: "is-tips",
    body: [dots, stage],
    actions: [back, next],
    onclose: () => {
      if (!store.settings.onboardingSeen) changeSettings({ onboardingSeen: true }).catch(() => {});
    },
  });
  const show = () => {
    const step = steps[index];
    fill(stage, stepPicture(step), make("h3", { text: `${index + 1}. ${step.title}` }), make("p", { text: step.words }));
    fill(dots, steps.map(({ title }, other) => make("li", { class: other === index ? "is-here" : other < index ? "is-done" : "", "aria-current": other === index ? "step" : null, text: title })));
    back.disabled = index === 0;
    next.textContent = index === steps.length - 1 ? "Let’s draw" : "Next";
    animate(stage, [{ opacity: 0, transform: "translateX(16px)" }, { opacity: 1, transform: "none" }], { duration: 220, easing: "ease-out" });
  };
  const turn = (by) => {
    index += by;
    if (index >= steps.length) {
      dialog.close();
      if (location.hash === "" || location.hash === "#home") location.hash = "#train";
      return;
    }
    show();
    if (index === 0) next.focus();
  };
  show();
  next.focus();
}
