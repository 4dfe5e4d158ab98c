// Drawing over a template (TR-010 to TR-024, TR-041): what is seen, what gestures move, the score,
// and the sample.

import { api } from "./api.js";
import {
  button, fill, identifier, make, onUndoKey, setStyle, timed, tool,
} from "./dom.js";
import { DrawingSheet } from "./drawing-sheet.js";
import { icon } from "./icons.js";
import { boxOf } from "./ink-picture.js";
import { keepDraft, keptDraft } from "./kept.js";
import { messages } from "./messages.js";
import { askLabel } from "./picker.js";
import { coalesce } from "./refresh.js";
import { applying, identity, matrixOf, reachable, transformOf, transformed } from "./similarity.js";
import { canTeach, listen, store } from "./store.js";
import { emojiBefore, rememberTemplate, straightPath, traceAddress } from "./templates.js";
import { showError, speak, toast } from "./toasts.js";
import { keepAwake, openCamera } from "./trace-camera.js";
import { followGestures } from "./trace-gestures.js";

/** The layers of a page with a template other than its ink. */
const usual = Object.freeze({
  template: identity, camera: identity, opacity: 0.5, brightness: 0.5, isTorchOn: false,
  target: "template", isLocked: true,
});
const draftKey = "drawml.trace";
/** Where templates are picked. */
export const gallery = "/#templates";
/** How much of the sheet a template fills at first. */
const share = 0.7;

/** A step's heading with the way back to the step before. */
export function traceHead(back, { name, label }) {
  return make("header", { class: "trace-head" },
    make("a", { class: "round-button", href: back, "aria-label": "Back" }, icon("back")),
    make("h1", { class: "trace-title", tabindex: "-1" },
      emojiBefore({ label }), name));
}

export class TraceScreen {
  /**
   * @param {object} template What is drawn over.
   * @param {object} options
   * @param {"underPaper"|"abovePaper"} options.mode What lies behind the template.
   * @param {string} options.model The id of the model that is taught.
   * @param {boolean} options.isPressed Whether somebody pressed for it, as a camera needs.
   * @param {AbortSignal} options.signal Ends it.
   */
  constructor(host, template, { mode, model, isPressed, signal }) {
    Object.assign(this, {
      template, mode, model, sample: null, isCounted: false,
      drawing: { canvas: null, strokes: [], cleared: null },
    });
    this.state = usual;
    this.take(readDraft(template.id, mode));
    rememberTemplate(template.id);

    this.sheet = new DrawingSheet({
      label: "The sheet. Draw over the template.",
      drawing: this.drawing,
      onchange: (how) => this.changed(how),
      onfit: () => this.showTemplate(),
      signal,
    });
    this.ground = mode === "abovePaper"
      ? make("video", { class: "trace-ground", playsinline: true, "aria-hidden": "true" })
      : make("div", { class: "trace-ground" });
    this.ghost = make("svg:svg", { class: "trace-template", "aria-hidden": "true" });
    this.sheet.surface.world.prepend(this.ground, this.ghost);
    this.stage = make("div", {
      class: "trace-stage", tabindex: "0", role: "group",
      "aria-label": "The template. Arrow keys move it, plus and minus size it, brackets turn it.",
    }, this.sheet.element);
    followGestures(this.stage, {
      isLocked: () => this.state.isLocked,
      place: (client) => this.place(client),
      middle: () => ({ x: this.page.width / 2, y: this.page.height / 2 }),
      ongesture: (gesture) => this.gesture(gesture),
      onmoving: (isHeld) => {
        this.isHeld = isHeld;
        this.showMoving();
      },
    });

    this.score = make("p", { class: "trace-score", role: "status" });
    this.askScore = coalesce(() => this.findScore(), (error) => {
      this.score.textContent = error.message;
    });
    if (template.picture) {
      this.image = make("svg:image", { href: api.pictureAddress(template.id) });
      this.askScore = () => {};
      this.score.classList.add("is-words");
      this.score.textContent = "No score: a picture has no lines.";
    }
    this.remaining = make("p", { class: "trace-left soft" });
    const head = traceHead(gallery, template);
    head.append(this.remaining);
    fill(host, make("div", { class: "trace" }, head, this.stage, this.controls()));
    // Without the camera, the page's policy forbids to keep the screen on, too.
    if (store.hasCamera) keepAwake(signal);
    onUndoKey(() => this.undo(), signal);
    for (const kind of ["settings", "model"]) listen(kind, () => this.showRights(), signal);
    signal.addEventListener("abort", () => this.close());
    this.showRights();
    if (mode === "abovePaper") this.useCamera(isPressed, signal);
    this.sheet.show();
    this.show();
    if (!this.sheet.isEmpty) this.askScore();
    api.tracesLeft().then(({ left }) => {
      // A count since then is newer.
      if (this.remaining.textContent === "") this.showLeft(left);
    }, () => {});
  }

  close() {
    this.isClosed = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.moved);
    this.camera?.close();
  }

  // MARK: The controls

  controls() {
    const slider = (name, member, words) => make("label", { class: "trace-slider" },
      make("span", { text: name }),
      make("input", {
        class: "range", type: "range", min: "0", max: "100", title: words,
        value: String(Math.round(this.state[member] * 100)),
        oninput: ({ target }) => this.with({ [member]: Number(target.value) / 100 }),
      }));
    const turn = (words, drawing, changes) => make("button", {
      class: "tool", type: "button", data: { changes: JSON.stringify(changes) },
      onclick: () => this.with(changes),
    }, icon(drawing), make("span", { text: words }));
    this.turns = make("div", { class: "trace-turns" },
      this.mode === "abovePaper"
        && make("div", { class: "trace-pair", role: "group", "aria-label": "What is placed" },
          turn("Template", "models", { target: "template" }),
          turn("Camera", "camera", { target: "camera" })),
      tool(icon("reset"), "Reset", () => this.with({ [this.state.target]: identity })),
      make("a", { class: "tool", href: traceAddress(this.template.id, "choose") },
        icon("labels"), make("span", { text: "Paper" })));
    this.adjusting = make("div", {
      class: "trace-adjusting", id: "trace-adjusting", role: "group", "aria-label": "Adjust",
    }, this.turns,
    make("div", { class: "trace-sliders" }, slider("Template", "opacity", "Opacity"),
      this.mode === "underPaper" && slider("Page", "brightness", "Brightness")));
    this.adjust = tool(null, "", () => this.with({ isLocked: !this.state.isLocked }), {
      "aria-controls": "trace-adjusting",
    });
    this.torch = tool(icon("sun"), "Light", () => this.turnLight(), { hidden: true });
    const tools = make("div", { class: "trace-tools", role: "group", "aria-label": "The sheet" },
      this.adjust,
      this.torch,
      tool(icon("undo"), "Undo", () => this.undo()),
      tool(icon("clear"), "Clear", () => this.sheet.clear()));
    this.addButton = button("is-primary", [icon("add"), "Add Sample"], () => this.add());
    return make("footer", { class: "trace-controls" }, this.adjusting, tools,
      make("div", { class: "trace-end" }, this.score, this.addButton));
  }

  /** A guest's right to teach comes and goes with the settings. */
  showRights() {
    this.addButton.hidden = !canTeach(this.model);
  }

  /** Replaces the state by one with other members. */
  with(changes) {
    this.state = Object.freeze({ ...this.state, ...changes });
    if ("isLocked" in changes) {
      speak(changes.isLocked ? "Fingers draw now." : "Fingers place the template now.");
    }
    this.show();
    this.keep();
    if ("template" in changes) this.askScore();
  }

  show() {
    const { isLocked, target, opacity, brightness, isTorchOn } = this.state;
    this.stage.classList.toggle("is-locked", isLocked);
    this.stage.dataset.target = target;
    this.adjusting.hidden = isLocked;
    this.adjust.setAttribute("aria-expanded", String(!isLocked));
    this.adjust.replaceChildren(icon(isLocked ? "place" : "train"),
      make("span", { text: isLocked ? "Adjust" : "Draw" }));
    for (const each of this.turns.querySelectorAll("[data-changes]")) {
      const [[key, value]] = Object.entries(JSON.parse(each.dataset.changes));
      each.setAttribute("aria-pressed", String(this.state[key] === value));
    }
    this.torch.setAttribute("aria-pressed", String(isTorchOn));
    setStyle(this.ghost, { opacity: String(opacity) });
    if (this.mode === "underPaper") {
      const lightness = 100 - 60 * (1 - brightness) ** 2;
      setStyle(this.ground, { "background-color": `hsl(0 0% ${lightness}%)` });
    }
    this.showPlacements();
  }

  showPlacements() {
    setStyle(this.ghost, { transform: transformOf(this.state.template) });
    if (this.mode === "abovePaper") {
      setStyle(this.ground, { transform: transformOf(this.state.camera) });
    }
  }

  // MARK: The template

  get page() {
    return this.sheet.surface.size;
  }

  /** The template's strokes as columns on the sheet, before it is placed. */
  fitted() {
    const { picture, strokes } = this.template;
    const box = picture ? { x: 0, y: 0, ...picture } : boxOf(strokes);
    const { page } = this;
    const side = share * Math.min(page.width, page.height);
    const scale = side / Math.max(box.width, box.height, 1e-9);
    const x = page.width / 2 - (box.x + box.width / 2) * scale;
    const y = page.height / 2 - (box.y + box.height / 2) * scale;
    this.box = {
      x: box.x * scale + x, y: box.y * scale + y,
      width: box.width * scale, height: box.height * scale,
    };
    return strokes.map(([xs, ys]) =>
      [xs.map((each) => each * scale + x), ys.map((each) => each * scale + y)]);
  }

  showTemplate() {
    this.fitted();
    // A template that was placed in a larger window stays within reach.
    const template = reachable(this.state.template, this.box, this.page);
    this.state = Object.freeze({ ...this.state, template });
    this.showPlacements();
    const lines = this.fitted().map((columns) =>
      make("svg:path", { class: "trace-line", d: straightPath(columns) }));
    const { x, y, width, height } = this.box;
    for (const [key, value] of Object.entries(this.box)) this.image?.setAttribute(key, value);
    const margin = 12;
    this.ghost.setAttribute("viewBox", `0 0 ${this.page.width} ${this.page.height}`);
    fill(this.ghost, this.image, lines, make("svg:rect", {
      class: "trace-box", x: x - margin, y: y - margin,
      width: width + 2 * margin, height: height + 2 * margin,
    }));
  }

  /** The place on the sheet of a place in the window. */
  place({ x, y }) {
    const box = this.sheet.element.getBoundingClientRect();
    const { view } = this.sheet.surface;
    return { x: (x - box.left - view.x) / view.scale, y: (y - box.top - view.y) / view.scale };
  }

  gesture(gesture) {
    const { target } = this.state;
    const box = target === "template" ? this.box : { x: 0, y: 0, ...this.page };
    const moved = reachable(applying(this.state[target], gesture), box, this.page);
    this.state = Object.freeze({ ...this.state, [target]: moved });
    this.showMoving();
    // Once a frame: the compositor moves what is drawn already.
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.showPlacements();
    });
  }

  /** Shows the template's box while it is held, and a moment after a wheel's or key's gesture. */
  showMoving() {
    this.stage.classList.add("is-moving");
    clearTimeout(this.moved);
    if (this.isHeld) return;
    this.moved = setTimeout(() => {
      this.stage.classList.remove("is-moving");
      this.keep();
      this.askScore();
    }, 400);
  }

  // MARK: The camera

  /** Opens the camera if somebody pressed for it; else offers to. */
  useCamera(isPressed, signal) {
    const whenSeen = () => {
      if (document.visibilityState === "hidden") this.camera?.close();
      else if (this.camera) this.openCamera();
    };
    document.addEventListener("visibilitychange", whenSeen, { signal });
    if (isPressed) {
      this.openCamera();
      return;
    }
    const ask = button("is-primary trace-ask", [icon("camera"), "Use the camera"], () => {
      ask.remove();
      this.openCamera();
    });
    this.stage.append(ask);
  }

  async openCamera() {
    const asked = Symbol("asked");
    this.asked = asked;
    const isWanted = () =>
      this.asked === asked && !this.isClosed && document.visibilityState === "visible";
    try {
      const camera = await openCamera(this.ground, {
        isWanted, onend: () => this.loseCamera("The camera has stopped."),
      });
      // Before the first picture came, the page was left or hidden; perhaps it was shown again.
      if (!isWanted()) camera.close();
      if (this.asked !== asked || this.isClosed) return;
      this.camera = camera;
      this.torch.hidden = !camera.hasTorch;
      this.state = Object.freeze({ ...this.state, isTorchOn: false });
      this.show();
    } catch (error) {
      if (this.asked === asked) this.loseCamera(error.message);
    }
  }

  loseCamera(reason) {
    if (this.isClosed) return;
    toast(reason, { kind: "bad", detail: "You can trace under paper instead." });
    location.replace(traceAddress(this.template.id, "under"));
  }

  async turnLight() {
    const isTorchOn = !this.state.isTorchOn;
    try {
      await this.camera.light(isTorchOn);
    } catch {
      toast("The light does not work now.", { kind: "bad", topic: "light" });
      return;
    }
    if (!this.isClosed) this.with({ isTorchOn });
  }

  // MARK: Ink

  /** The ink has changed. */
  changed(how) {
    this.sample = null;
    if (how === "undo") this.isCounted = true;
    if (how === "clear") this.isCounted = false;
    if (how === "stroke" && !this.isCounted) this.count();
    this.keep();
    this.askScore();
  }

  /** Counts a drawing that was begun; removes it if none was left today. */
  async count() {
    this.isCounted = true;
    try {
      this.showLeft((await api.countTrace()).left);
    } catch (error) {
      if (error.code !== "dailyLimit" || this.isClosed) return;
      this.showLeft(0);
      this.empty();
      toast(error.message, { topic: "left" });
    }
  }

  showLeft(left) {
    this.remaining.textContent = left === null ? "" : `${left} left today`;
  }

  /** Begins the next drawing. */
  empty() {
    Object.assign(this.drawing, { strokes: [], cleared: null });
    this.sheet.change("clear");
  }

  undo() {
    if (!this.sheet.undo()) toast(messages.nothingToUndo);
  }

  // MARK: Requests

  async findScore() {
    const drawn = this.drawing.strokes;
    if (drawn.length === 0) {
      fill(this.score);
      return;
    }
    const matrix = matrixOf(this.state.template);
    const placed = this.fitted().map(([xs, ys]) => {
      const points = xs.map((x, index) => transformed(matrix, { x, y: ys[index] }));
      return [points.map(({ x }) => x), points.map(({ y }) => y)];
    });
    const { score } = await api.scoreTrace(timed(drawn), placed);
    if (drawn === this.drawing.strokes) this.score.textContent = `${Math.round(score)} of 100`;
  }

  async add() {
    if (this.sheet.isEmpty) {
      toast("Draw over the template first.", { kind: "bad", topic: "blank" });
      return;
    }
    if (this.isAdding) return;
    this.isAdding = true;
    const { model, drawing: { canvas, strokes: sent } } = this;
    // A user's template has no label: that of the first trace is used for this screen.
    this.label ||= this.template.label || await askLabel("What did you draw?");
    if (!this.label) {
      this.isAdding = false;
      return;
    }
    // A drawing keeps its id when it is sent again, so a lost answer does not save it twice.
    this.sample ??= identifier();
    this.keep();
    const sample = {
      id: this.sample, label: this.label, template: this.template.id, canvas, strokes: timed(sent),
    };
    const score = this.template.picture ? "" : this.score.textContent;
    try {
      await api.addSample(model, sample);
    } catch (error) {
      showError(error, messages.notSaved);
      return;
    } finally {
      this.isAdding = false;
    }
    if (this.isClosed) forgetDraft(sample.id);
    else this.leaveOut(sent);
    toast("Saved.", {
      kind: "good", emoji: sample.label, detail: score, action: "Undo", topic: "saved",
      onaction: async () => {
        try {
          await api.deleteSample(model, sample.id);
        } catch (error) {
          showError(error);
          return;
        }
        this.label = "";
        if (!this.sheet.isEmpty || this.isClosed) return;
        Object.assign(this.drawing, { strokes: sent, canvas });
        this.sheet.change("undo");
      },
    });
  }

  /** Takes saved strokes off the sheet; those drawn meanwhile belong to the next drawing. */
  leaveOut(saved) {
    const rest = this.drawing.strokes.filter((stroke) => !saved.includes(stroke));
    this.empty();
    if (rest.length === 0) return;
    this.drawing.strokes = rest;
    this.sheet.change("stroke");
  }

  // MARK: What a reload keeps

  keep() {
    if (this.isClosed) return;
    const { template, mode, model, drawing: { strokes, canvas }, state, sample, isCounted } = this;
    const draft = { template: template.id, mode, model, strokes, canvas, state, sample, isCounted };
    // Where storage is full, a reload would restore an older drawing.
    if (!keepDraft(draftKey, draft)) keepDraft(draftKey, null);
  }

  take(draft) {
    if (!draft) return;
    const { strokes, canvas, state, sample, isCounted } = draft;
    // A page opens to draw, with the light off.
    Object.assign(this.drawing, { strokes, canvas });
    Object.assign(this, {
      sample, isCounted,
      state: Object.freeze({ ...usual, ...state, isLocked: true, isTorchOn: false }),
    });
  }
}

/** Forgets the drawing that was saved under an id after its screen was left. */
function forgetDraft(sample) {
  if (keptDraft(draftKey)?.sample === sample) keepDraft(draftKey, null);
}

/** The model that the kept drawing was begun for, if there is one over the address's template. */
export function draftedModel(address) {
  const draft = keptDraft(draftKey);
  if (!draft || draft.strokes.length === 0) return undefined;
  const opened = traceAddress(draft.template, draft.mode === "abovePaper" ? "above" : "under");
  return opened === `/trace${address}` ? draft.model : undefined;
}

/** What was drawn over a template before this page was loaded. */
function readDraft(template, mode) {
  const draft = keptDraft(draftKey);
  return draft?.template === template && draft.mode === mode ? draft : null;
}
