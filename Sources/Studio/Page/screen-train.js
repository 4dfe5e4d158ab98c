// Train (S-002): draw, pick an emoji, add the sample, train.

import { api } from "./api.js";
import { animate, emoji, fill, fillRow, identifier, make, onUndoKey, shake, sure, timed, tool } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { icon } from "./icons.js";
import { InkSurface } from "./ink-surface.js";
import { messages } from "./messages.js";
import { EmojiPicker, favourites, nameOf, recentEmojis, remember } from "./picker.js";
import { SampleGrid } from "./samples.js";
import { listen, load, store, tell } from "./store.js";
import { complain, speak, toast } from "./toasts.js";
import { TrainingCard } from "./training.js";

/** What is on the sheet. It outlives the screen, so that a look at another one loses no ink; who changes it tells "draft". */
const draft = { canvas: null, strokes: [], cleared: null, label: "", sample: null };

export const trainScreen = {
  title: "Train",

  open(host, words) {
    // A label in the address is picked, as from "Draw more" of Labels.
    if (words[0]) draft.label = words[0];
    const screen = new TrainScreen(host);
    return { close: () => screen.close() };
  },
};

class TrainScreen {
  constructor(host) {
    this.surface = new InkSurface({
      label: "Drawing sheet. Draw with a mouse, a finger or a pen.",
      penSize: () => store.settings.penSize ?? 6,
      mostPoints: () => store.limits.points,
      onstroke: (stroke) => this.addStroke(stroke),
      oncancel: (reason) => {
        if (reason === "lost") toast(messages.unreadable, { kind: "bad" });
      },
    });
    this.surface.isEmpty = () => draft.strokes.length === 0;
    this.ink = make("svg:svg", { class: "ink" });
    this.surface.world.append(this.ink);
    this.sheet = this.surface.element;

    this.hint = make("p", { class: "sheet-hint", text: "Draw a shape here", "aria-hidden": "true" });
    this.guess = make("p", { class: "guess", role: "status" });
    this.sheet.append(this.hint);

    this.tools = make("div", { class: "sheet-tools", role: "group", "aria-label": "The sheet" },
      tool(icon("undo"), "Undo", () => this.undo()), tool(icon("clear"), "Clear", () => this.clear()), tool(icon("why"), "Classify", () => this.classify()));

    this.chosen = make("button", { class: "chosen", type: "button", onclick: () => this.openPicker() });
    this.quick = make("div", { class: "quick", role: "group", "aria-label": "Emojis to pick from" });
    this.all = make("button", { class: "quick-more", type: "button", "aria-haspopup": "dialog", onclick: () => this.openPicker() }, icon("search"), "All emojis");
    this.picker = new EmojiPicker((label) => {
      this.pick(label);
      this.dialog?.close();
    });
    this.inline = make("div", { class: "picker-inline" });
    this.addButton = make("button", { class: "button is-ink", type: "button", onclick: () => this.add() }, icon("add"), "Add Sample");

    this.grid = new SampleGrid();
    this.grid.onlabels = () => this.showQuick();
    this.training = new TrainingCard();
    fill(host,
      make("h1", { class: "screen-title", text: "Train" }),
      make("div", { class: "train" },
        make("div", { class: "train-desk" },
          make("div", { class: "sheet-frame" }, this.sheet, this.guess, this.tools),
          make("section", { class: "label-row", "aria-label": "Emoji for this drawing" }, this.chosen, this.quick, this.all, this.addButton),
          this.inline),
        make("div", { class: "train-side" }, this.training.element, this.grid.element)));

    this.ends = [onUndoKey(() => this.undo()), listen("draft", () => this.changed())];
    this.wide = matchMedia("(min-width: 760px) and (min-height: 1080px)");
    this.placePicker = () => {
      this.all.hidden = this.wide.matches;
      if (!this.wide.matches) return fill(this.inline);
      fill(this.inline, this.picker.element);
      return this.picker.open().then(() => this.picker.choose(draft.label));
    };
    this.wide.addEventListener("change", this.placePicker);
    this.placePicker();

    this.showInk();
    this.showLabel();
  }

  close() {
    for (const end of this.ends) end();
    this.wide.removeEventListener("change", this.placePicker);
    this.surface.close();
    this.grid.close();
    this.training.close();
  }

  // MARK: Ink

  addStroke(stroke) {
    draft.cleared = null;
    if (draft.strokes.length === 0) draft.canvas = { ...this.surface.size };
    if (draft.strokes.length >= store.limits.strokes) {
      toast(messages.unreadable, { kind: "bad", detail: "Those are too many strokes for one drawing." });
      return;
    }
    draft.strokes.push(stroke);
    this.forget();
    this.ink.append(make("svg:path", { class: "stroke", d: stroke.path }));
    this.hint.hidden = true;
  }

  /** The drawing is another one now: what was said of the old one no longer holds. */
  forget() {
    draft.sample = null;
    this.asked = null;
    fill(this.guess);
  }

  changed() {
    this.forget();
    this.showInk();
  }

  showInk() {
    if (draft.strokes.length > 0) this.surface.setCanvas(draft.canvas);
    else this.surface.fit();
    this.ink.setAttribute("viewBox", `0 0 ${this.surface.size.width} ${this.surface.size.height}`);
    fill(this.ink, draft.strokes.map(({ path }) => make("svg:path", { class: "stroke", d: path })));
    this.hint.hidden = draft.strokes.length > 0;
  }

  undo() {
    if (draft.strokes.length > 0) draft.strokes.pop();
    else if (draft.cleared) [draft.strokes, draft.cleared] = [draft.cleared, null];
    else {
      toast(messages.nothingToUndo);
      return;
    }
    this.changed();
    speak(draft.strokes.length === 0 ? "The sheet is empty." : "Undone.");
  }

  clear() {
    if (draft.strokes.length === 0) return;
    draft.cleared = draft.strokes;
    draft.strokes = [];
    const old = this.ink.cloneNode(true);
    this.surface.world.append(old);
    animate(old, [{ opacity: 1 }, { opacity: 0, transform: "translateY(10px)" }], { duration: 200, easing: "ease-in" }).then(() => old.remove());
    this.changed();
    speak("The sheet is clear. Undo brings the drawing back.");
  }

  drawing() {
    return { canvas: draft.canvas, strokes: timed(draft.strokes) };
  }

  // MARK: Emoji

  pick(label) {
    if (label !== draft.label) draft.sample = null;
    draft.label = label;
    this.showLabel();
    animate(this.chosen.querySelector(".emoji"), [{ transform: "scale(.6)" }, { transform: "scale(1)" }], { duration: 260, easing: "cubic-bezier(.34,1.7,.5,1)" });
    nameOf(label).then((name) => speak(`${name} is picked.`));
  }

  showLabel() {
    const label = draft.label;
    fill(this.chosen, label ? emoji(label, { "aria-hidden": "true" }) : icon("add"));
    this.chosen.setAttribute("aria-label", label ? `Picked: ${label}. Pick another emoji` : "Pick an emoji");
    this.chosen.classList.toggle("is-empty", !label);
    this.showQuick();
    if (this.inline.firstChild) this.picker.choose(label);
  }

  showQuick() {
    const labels = this.grid.labels.map(({ label }) => label);
    const all = [...new Set([...labels, ...recentEmojis(), ...favourites])].slice(0, Math.max(12, labels.length));
    fillRow(this.quick, all.map((label) => make("button", {
      class: "quick-emoji", type: "button", "aria-pressed": String(label === draft.label), "aria-label": label, data: { key: label },
      onclick: () => {
        remember(label);
        this.pick(label);
      },
    }, emoji(label))));
  }

  async openPicker() {
    if (this.inline.firstChild) {
      this.picker.input.focus();
      return;
    }
    this.dialog = openDialog({ title: "Pick an emoji", kind: "is-picker", body: [this.picker.element], onclose: () => {
      this.dialog = null;
    } });
    this.picker.input.focus();
    await this.picker.open();
    this.picker.choose(draft.label);
  }

  // MARK: What the server does with it

  async add() {
    if (draft.strokes.length === 0) {
      toast(messages.unreadable, { kind: "bad", detail: "The sheet is empty: draw a shape first." });
      return;
    }
    if (!draft.label) {
      toast(messages.noEmoji, { kind: "bad" });
      this.chosen.focus();
      animate(this.chosen, shake, { duration: 380 });
      return;
    }
    if (this.isAdding) return;
    this.isAdding = true;
    this.addButton.setAttribute("aria-disabled", "true");
    // The same drawing keeps its id however often it is sent, so a lost answer cannot save it twice.
    draft.sample ??= identifier();
    const model = store.model.id;
    const sample = { id: draft.sample, label: draft.label, ...this.drawing() };
    const sent = [...draft.strokes];
    const known = this.grid.labels.find(({ label }) => label === sample.label)?.sampleCount ?? 0;
    try {
      await api.addSample(model, sample);
    } catch (error) {
      complain(error, error.code === "labelEmpty" ? messages.noEmoji : messages.notSaved);
      return;
    } finally {
      this.isAdding = false;
      this.addButton.setAttribute("aria-disabled", "false");
    }
    this.flyAway(sent);
    // What was drawn meanwhile is the next drawing.
    draft.strokes = draft.strokes.filter((stroke) => !sent.includes(stroke));
    draft.cleared = draft.cleared?.some((stroke) => sent.includes(stroke)) ? null : draft.cleared;
    tell("draft");
    toast(`Saved. That makes ${known + 1}.`, {
      kind: "good", emoji: sample.label, action: "Undo", topic: "saved",
      onaction: async () => {
        try {
          await api.deleteSample(model, sample.id);
          if (draft.strokes.length === 0) {
            draft.strokes = [...sent];
            draft.canvas = sample.canvas;
            tell("draft");
          }
          await load();
        } catch (error) {
          complain(error);
        }
      },
    });
    await load().catch(() => {});
  }

  /** The drawing goes to the others: one can see where it went. */
  flyAway(strokes) {
    const from = this.sheet.getBoundingClientRect();
    const to = this.grid.heading.getBoundingClientRect();
    const copy = this.ink.cloneNode(false);
    fill(copy, strokes.map(({ path }) => make("svg:path", { class: "stroke", d: path })));
    copy.classList.add("is-flying");
    this.surface.world.append(copy);
    const dx = Math.max(-600, Math.min(600, to.left - from.left));
    const dy = Math.max(-500, Math.min(700, to.top - from.top));
    animate(copy, [{ opacity: 1, transform: "none" }, { opacity: 0, transform: `translate(${dx * 0.6}px, ${dy * 0.6}px) scale(.2)` }], { duration: 420, easing: "cubic-bezier(.5,0,.6,1)" })
      .then(() => copy.remove());
  }

  async classify() {
    if (draft.strokes.length === 0) {
      toast(messages.unreadable, { kind: "bad", detail: "The sheet is empty: draw a shape first." });
      return;
    }
    const drawing = this.drawing();
    this.asked = drawing;
    let answer;
    try {
      answer = await api.classify(store.model.id, drawing, { record: true });
    } catch (error) {
      complain(error, messages.notClassified);
      return;
    }
    // It was of that drawing.
    if (this.asked !== drawing) return;
    if (answer.decision === "recognized") {
      fill(this.guess, "Looks like ", emoji(answer.label, { class: "guess-emoji" }), make("span", { class: "soft", text: ` ${sure(answer.confidence)}` }));
      animate(this.guess, [{ opacity: 0, transform: "scale(.8)" }, { opacity: 1, transform: "none" }], { duration: 260, easing: "cubic-bezier(.34,1.5,.5,1)" });
    } else {
      fill(this.guess, answer.message ?? messages.notRecognized, answer.reason === "nothingTaught" ? make("span", { class: "soft", text: " Train the model first." }) : null);
      animate(this.ink, shake, { duration: 460 }, [{ opacity: 0.4 }, { opacity: 1 }]);
    }
  }
}
