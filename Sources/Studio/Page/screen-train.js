// Train (S-002): draw, pick an emoji, add the sample, train.

import { api } from "./api.js";
import {
  animate, appear, button, decorativeEmoji, emoji, fill, fillRow, identifier, make, onUndoKey,
  shake, spring, sure, timed, tool, vanish,
} from "./dom.js";
import { openDialog } from "./dialogs.js";
import { fits } from "./drawing-limits.js";
import { icon } from "./icons.js";
import { showStrokes, strokePath } from "./ink-picture.js";
import { InkSurface } from "./ink-surface.js";
import { keepDraft, keptDraft } from "./kept.js";
import { messages } from "./messages.js";
import { EmojiPicker, favorites, nameOf, recentEmojis, remember } from "./picker.js";
import { change } from "./refresh.js";
import { SampleGrid } from "./samples.js";
import { listen, load, store, tell } from "./store.js";
import { showError, speak, toast, undoNewest } from "./toasts.js";
import { TrainingCard } from "./training.js";

const draftKey = "drawml.draft";

/**
 * The drawing on the sheet. It outlives the screen and a reload; other code that changes it tells
 * "draft".
 */
const draft = {
  canvas: null, strokes: [], cleared: null, label: "", sample: null, ...keptDraft(draftKey),
};
keepDraft(draftKey, null);

addEventListener("pagehide", () => {
  keepDraft(draftKey, draft.strokes.length > 0 ? { ...draft, cleared: null } : null);
});

export const trainScreen = {
  title: "Train",

  open(host, words) {
    // "Draw more" of Labels gives a label in the address.
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

    const hint = { class: "sheet-hint", "aria-hidden": "true" };
    this.hint = make("p", hint, "Draw a shape here");
    this.guess = make("p", { class: "guess", role: "status" });
    this.sheet.append(this.hint);

    this.tools = make("div", { class: "sheet-tools", role: "group", "aria-label": "The sheet" },
      tool(icon("undo"), "Undo", () => this.undo()),
      tool(icon("clear"), "Clear", () => this.clear()),
      tool(icon("why"), "Classify", () => this.classify()));

    const openPicker = () => this.openPicker();
    this.chosen = make("button", { class: "chosen", type: "button", onclick: openPicker });
    this.quick = make("div", {
      class: "quick", role: "group", "aria-label": "Emojis to pick from",
    });
    this.all = make("button", {
      class: "quick-more", type: "button", "aria-haspopup": "dialog", onclick: openPicker,
    }, icon("search"), "All emojis");
    this.picker = new EmojiPicker((label) => {
      this.pick(label);
      this.dialog?.close();
    });
    this.inline = make("div", { class: "picker-inline" });
    this.addButton = button("is-ink", [icon("add"), "Add Sample"], () => this.add());

    this.grid = new SampleGrid();
    this.grid.onlabels = () => this.showQuick();
    // Guests add drawings; the owner trains.
    this.training = store.isGuest ? null : new TrainingCard();
    fill(host,
      make("h1", { class: "screen-title", text: store.isGuest ? "Teach" : "Train" }),
      make("div", { class: "train" },
        make("div", { class: "train-desk" },
          make("div", { class: "sheet-frame" }, this.sheet, this.guess, this.tools),
          make("section", { class: "label-row", "aria-label": "Emoji for this drawing" },
            this.chosen, this.quick, this.all, this.addButton),
          this.inline),
        make("div", { class: "train-side" }, this.training?.element, this.grid.element)));

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
    this.training?.close();
  }

  // MARK: Ink

  addStroke(stroke) {
    if (!fits(draft.strokes, stroke)) return;
    draft.cleared = null;
    if (draft.strokes.length === 0) draft.canvas = { ...this.surface.size };
    draft.strokes.push(stroke);
    this.forget();
    this.ink.append(strokePath(stroke.path));
    this.hint.hidden = true;
  }

  /** The drawing has changed: its id and its answer no longer hold. */
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
    showStrokes(this.ink, this.surface.size, draft.strokes);
    this.hint.hidden = draft.strokes.length > 0;
  }

  undo() {
    if (draft.strokes.length > 0) draft.strokes.pop();
    else if (draft.cleared) [draft.strokes, draft.cleared] = [draft.cleared, null];
    else {
      // What a message offers to undo comes after the sheet's own steps.
      if (!undoNewest()) toast(messages.nothingToUndo);
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
    vanish(old, "translateY(10px)", 200);
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
    const frames = [{ transform: "scale(.6)" }, { transform: "scale(1)" }];
    animate(this.chosen.querySelector(".emoji"), frames, { duration: 260, easing: spring });
    nameOf(label).then((name) => speak(`${name} is picked.`));
  }

  showLabel() {
    const label = draft.label;
    fill(this.chosen, label ? decorativeEmoji(label) : icon("add"));
    const name = label ? `Picked: ${label}. Pick another emoji` : "Pick an emoji";
    this.chosen.setAttribute("aria-label", name);
    this.chosen.classList.toggle("is-empty", !label);
    this.showQuick();
    if (this.inline.firstChild) this.picker.choose(label);
  }

  showQuick() {
    const labels = this.grid.labels.map(({ label }) => label);
    const all = [...new Set([...labels, ...recentEmojis(), ...favorites])];
    const shown = all.slice(0, Math.max(12, labels.length));
    fillRow(this.quick, shown.map((label) => make("button", {
      class: "quick-emoji", type: "button", "aria-pressed": String(label === draft.label),
      "aria-label": label, data: { key: label },
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
    this.picker.input.value = "";
    this.dialog = openDialog({
      title: "Pick an emoji", body: [this.picker.element],
      onclose: () => {
        this.dialog = null;
      },
    });
    this.picker.input.focus();
    await this.picker.open();
    this.picker.choose(draft.label);
  }

  // MARK: Requests

  /** Whether there is no drawing; shows a message if so. */
  isBlank() {
    if (draft.strokes.length > 0) return false;
    toast("Draw a shape first.", { kind: "bad", topic: "blank" });
    return true;
  }

  async add() {
    if (this.isBlank()) return;
    if (!draft.label) {
      toast(messages.noEmoji, { kind: "bad" });
      this.chosen.focus();
      animate(this.chosen, shake, { duration: 380 });
      return;
    }
    if (this.isAdding) return;
    this.isAdding = true;
    this.addButton.setAttribute("aria-disabled", "true");
    // A drawing keeps its id when it is sent again, so a lost answer does not save it twice.
    draft.sample ??= identifier();
    const model = store.model.id;
    const sample = { id: draft.sample, label: draft.label, ...this.drawing() };
    const sent = [...draft.strokes];
    const before = this.grid.labels;
    try {
      // The server writes an emoji in one way, whatever was picked or pasted.
      sample.label = (await api.addSample(model, sample)).label;
    } catch (error) {
      showError(error, error.code === "labelEmpty" ? messages.noEmoji : messages.notSaved);
      return;
    } finally {
      this.isAdding = false;
      this.addButton.setAttribute("aria-disabled", "false");
    }
    this.flyAway(sent);
    // Strokes drawn during the request belong to the next drawing.
    draft.strokes = draft.strokes.filter((stroke) => !sent.includes(stroke));
    if (draft.cleared?.some((stroke) => sent.includes(stroke))) draft.cleared = null;
    tell("draft");
    const known = before.find(({ label }) => label === sample.label);
    toast(`Saved. That makes ${(known?.sampleCount ?? 0) + 1}.`, {
      kind: "good", emoji: sample.label, action: "Undo", topic: "saved",
      onaction: () => change(async () => {
        await api.deleteSample(model, sample.id);
        if (draft.strokes.length > 0) {
          toast("Drawing deleted.", {
            action: "Undo", onaction: () => change(() => api.restoreSample(model, sample.id)),
          });
          return;
        }
        draft.strokes = [...sent];
        draft.canvas = sample.canvas;
        tell("draft");
      }),
    });
    await load().catch(() => {});
  }

  /** The drawing flies to the saved ones. */
  flyAway(strokes) {
    const from = this.sheet.getBoundingClientRect();
    const to = this.grid.heading.getBoundingClientRect();
    const copy = this.ink.cloneNode(false);
    showStrokes(copy, this.surface.size, strokes);
    copy.classList.add("is-flying");
    this.surface.world.append(copy);
    const dx = Math.max(-600, Math.min(600, to.left - from.left));
    const dy = Math.max(-500, Math.min(700, to.top - from.top));
    const transform = `translate(${dx * 0.6}px, ${dy * 0.6}px) scale(.2)`;
    vanish(copy, transform, 420, "cubic-bezier(.5,0,.6,1)");
  }

  async classify() {
    if (this.isBlank()) return;
    const drawing = this.drawing();
    this.asked = drawing;
    let answer;
    try {
      answer = await api.classify(store.model.id, drawing, { record: true });
    } catch (error) {
      showError(error, messages.notClassified);
      return;
    }
    // The response is about an earlier drawing.
    if (this.asked !== drawing) return;
    if (answer.decision === "recognized") {
      fill(this.guess, "Looks like ", emoji(answer.label, { class: "guess-emoji" }),
        make("span", { class: "soft", text: ` ${sure(answer.confidence)}` }));
      appear(this.guess, "scale(.8)", 260, spring);
    } else {
      fill(this.guess, answer.message ?? messages.notRecognized,
        answer.reason === "nothingTaught"
          && make("span", { class: "soft", text: ` ${messages.trainFirst}` }));
      animate(this.ink, shake, { duration: 460 }, [{ opacity: 0.4 }, { opacity: 1 }]);
    }
  }
}
