// The short guide (F-011): Draw → Label → Train → Test, on the first launch and from Help.

import { appear, button, fill, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { playNow } from "./everyday.js";
import { linePicture } from "./icons.js";
import { changeSettings, store } from "./store.js";

/** The steps, which Help shows too; `lines` are their pictures. */
export const steps = [
  {
    title: "Draw",
    words: "Draw a shape on the sheet, with a finger, a pen or the mouse. "
      + "A wobbly star is a fine star.",
    lines: ["M60 18l13 28 31 4-23 21 6 31-27-16-28 16 7-31-23-21 31-4 13-28Z"],
  },
  {
    title: "Label",
    words: "Pick the emoji it should become, and add the sample. "
      + "Do it a few times: each drawing is a bit different.",
    lines: ["M22 40c0-6 4-10 10-10h38l24 30-24 30H32c-6 0-10-4-10-10V40Z", "M40 60h.1"],
  },
  {
    title: "Train",
    words: "Press Train Model. "
      + "It compares your drawings and learns what makes each of them special.",
    lines: [
      "M30 84c-8-8-8-20 0-26-4-12 6-22 17-20 4-10 22-10 26 0 11-2 21 8 17 20 8 6 8 18 0 26"
        + "-8 10-20 8-26 2-8 8-26 8-34-2Z",
      "M60 34v54M46 56c6 0 8 4 8 9M76 58c-6 0-9 3-9 8",
    ],
  },
  {
    title: "Test",
    words: "Draw in the Playground. "
      + "What it knows turns into its emoji; what it does not know shakes its head.",
    lines: [
      "M26 42h68v50H26z", "M26 42l10-16h48l10 16", "M48 60v5M72 60v5M50 76c6 6 14 6 20 0",
      "M104 24c3 0 5-3 6-7 1 4 3 6 6 7-3 1-5 3-6 7-1-4-3-6-6-7Z",
    ],
  },
];

/** A step's picture. */
export function stepPicture({ lines }) {
  return linePicture(lines, 124);
}

/** Shows the guide if it was not shown before. */
export function offerTips() {
  if (!store.settings.onboardingSeen) showTips();
}

/** Shows the guide. */
export function showTips() {
  let index = 0;
  const stage = make("div", { class: "tips-stage", "aria-live": "polite" });
  const dots = make("ol", { class: "tips-dots" });
  const back = button("is-quiet", "Back", () => turn(-1));
  const next = button("is-primary", "Next", () => turn(1));
  // The guide begins with a way past it.
  const play = button("is-quiet", "Play now", () => {
    dialog.close();
    playNow();
  });
  const dialog = openDialog({
    title: "How DrawML learns",
    kind: "is-tips",
    body: [dots, stage],
    actions: [play, back, next],
    onclose: () => {
      if (!store.settings.onboardingSeen) changeSettings({ onboardingSeen: true }).catch(() => {});
    },
  });
  const show = () => {
    const step = steps[index];
    const heading = make("h3", { text: `${index + 1}. ${step.title}` });
    fill(stage, stepPicture(step), heading, make("p", { text: step.words }));
    fill(dots, steps.map(({ title }, other) => make("li", {
      class: other <= index ? "is-done" : "", text: title,
      "aria-current": other === index && "step",
    })));
    play.hidden = index > 0;
    back.hidden = index === 0;
    next.textContent = index === steps.length - 1 ? "Let’s draw" : "Next";
    appear(stage, "translateX(16px)", 220);
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
