// The sheet with colors (TF-001, TF-002).

import { colorOnPaper, colors, linePath, tools, widths } from "./art-sketch.js";
import { askConfirmation } from "./dialogs.js";
import { button, fill, fillRow, make, onUndoKey, tool } from "./dom.js";
import { icon } from "./icons.js";
import { InkSurface } from "./ink-surface.js";
import { messages } from "./messages.js";
import { go } from "./router.js";
import { changeSettings, store } from "./store.js";
import { showError, speak, toast } from "./toasts.js";

/** What a sketch may have, as `Sketch` in the program says. */
const most = { strokes: 1024, points: 65536 };

/** What the next line is drawn with. */
const pen = { color: "#000000", tool: "pen" };

/** Shows the sheet of a sketch in `host`, until `signal` aborts. */
export function openArtSheet(host, sketch, signal) {
  const ink = make("svg:svg", { class: "ink" });
  const hint = make("p", {
    class: "sheet-hint",
    text: store.settings.sketchTipsSeen ? "Draw anything."
      : "Draw anything, then press Transform! It becomes a picture.",
  });
  const widthOn = ({ width, height }) =>
    ((store.settings.sketchWidth ?? 5) / 500) * Math.max(width, height);
  const surface = new InkSurface({
    label: "Your sketch",
    penSize: () => widthOn(surface.size) * surface.view.scale,
    mostPoints: () => most.points,
    isForPens: () => store.settings.drawsWithFinger === false,
    onbegin: () => {
      hint.hidden = true;
    },
    onstroke: ({ columns }) => {
      const points = sketch.now.lines.reduce((sum, line) => sum + line.columns[0].length, 0);
      const isFull = sketch.now.lines.length >= most.strokes
        || points + columns[0].length > most.points;
      if (isFull) toast("The sheet is full.", { kind: "bad", detail: "Transform it, or clear it." });
      else keepWith(() =>
        sketch.add({ columns, width: widthOn(surface.size), ...pen }, { ...surface.size }));
      show();
    },
    oncancel: (reason) => {
      show();
      if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
    },
  });
  surface.isEmpty = () => sketch.isEmpty;
  surface.world.append(ink);
  surface.element.append(hint);
  signal.addEventListener("abort", () => surface.close());

  const undo = tool(icon("undo"), "Undo", () => step("undo"));
  const redo = tool(icon("redo"), "Redo", () => step("redo"));
  const clear = tool(icon("clear"), "Clear", async () => {
    const body = "The sheet will be white. Undo brings the drawing back.";
    if (!(await askConfirmation({ body, yes: "Clear", no: "Keep drawing" }))) return;
    sketch.clear();
    show({ isOther: true });
  });
  const transform = make("button", {
    class: "art-transform", type: "button", data: { key: "transform" },
    onclick: () => {
      changeSettings({ sketchTipsSeen: true }).catch((error) => showError(error));
      go("art", "styles");
    },
  }, "Transform!");

  /** Changes the sketch; says once if the browser could not keep it for the next load. */
  function keepWith(change) {
    const couldKeep = sketch.isKept;
    change();
    if (sketch.isKept || !couldKeep) return;
    toast("This browser has no room for the sketch.", {
      detail: "Transform it before you close the page.", topic: "art",
    });
  }

  /** Undoes or does again. */
  function step(kind) {
    sketch[kind]();
    show({ isOther: true });
    speak(sketch.isEmpty ? "The sheet is empty." : "Done.");
  }

  function show({ isOther = false } = {}) {
    const { canvas, lines } = sketch.now;
    if (isOther && canvas) surface.setCanvas(canvas);
    else if (isOther) surface.fit();
    const { width, height } = surface.size;
    ink.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const known = ink.children.length;
    // A new line joins the others; all are drawn again only when they are others.
    if (!isOther && known < lines.length) ink.append(...lines.slice(known).map(linePath));
    else fill(ink, lines.map(linePath));
    hint.hidden = !sketch.isEmpty;
    transform.hidden = sketch.isEmpty;
    undo.disabled = !sketch.canUndo;
    redo.disabled = !sketch.canRedo;
    clear.disabled = sketch.isEmpty;
  }

  const bar = make("div", { class: "art-tools" });
  /** Shows what is chosen; colors, tools and widths are one tab stop each. */
  function showPen() {
    surface.element.style.setProperty("--ink", colorOnPaper(pen));
    const choice = (look, name, isChosen, choose, ...content) => make("button", {
      class: look, type: "button", "aria-label": name, title: name,
      "aria-pressed": String(isChosen),
      onclick: () => {
        choose();
        showPen();
      },
    }, content);
    fillRow(bar.querySelector(".art-colors"), colors.map(([name, color]) =>
      choice("art-color", name, pen.color === color && pen.tool !== "eraser", () => {
        pen.color = color;
        if (pen.tool === "eraser") pen.tool = "pen";
      }, make("span", { class: "art-swatch", style: { background: color } }))));
    fillRow(bar.querySelector(".art-widths"), widths.map(([name, width]) =>
      choice("art-width", `${name} line`, store.settings.sketchWidth === width, () => {
        changeSettings({ sketchWidth: width }).catch((error) => showError(error));
      }, make("span", { class: `art-dot is-${name.toLowerCase()}` }))));
    fillRow(bar.querySelector(".art-kinds"), tools.map(([kind, name]) =>
      choice("art-kind", name, pen.tool === kind, () => {
        pen.tool = kind;
      }, name)));
  }

  const group = (look, name) => make("div", { class: look, role: "group", "aria-label": name });
  bar.append(
    group("art-colors", "Color"), group("art-widths", "Width"), group("art-kinds", "Tool"));
  fill(host,
    make("h1", { class: "unseen", text: "Art" }),
    make("div", { class: "art-sheet sheet-frame" },
      make("div", { class: "sheet-tools art-top" }, undo, redo, clear,
        button("is-quiet art-gallery-link", "Gallery", () => go("art", "gallery"))),
      make("div", { class: "art-stage" }, surface.element, transform), bar));
  host.classList.toggle("is-for-pens", store.settings.drawsWithFinger === false);
  showPen();
  show({ isOther: true });
  onUndoKey(() => step("undo"), signal);
  addEventListener("keydown", (event) => {
    const isRedo = (event.ctrlKey || event.metaKey)
      && (event.key.toLowerCase() === "y" || event.shiftKey && event.key.toLowerCase() === "z");
    if (!isRedo || event.target.closest?.("input, textarea, dialog")) return;
    event.preventDefault();
    step("redo");
  }, { signal });
}
