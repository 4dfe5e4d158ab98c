// Train (S-002): draw, pick an emoji, add the sample, train.

import { api } from "./api.js";
import {
  animate, appear, button, decorativeEmoji, emoji, fill, fillRow, identifier, make, onUndoKey,
  shake, spring, sure, tool, vanish,
} from "./dom.js";
import { DrawingSheet } from "./drawing-sheet.js";
import { favorites, nameOf } from "./emojis.js";
import { icon } from "./icons.js";
import { showStrokes } from "./ink-picture.js";
import { keepDraft, keptDraft } from "./kept.js";
import { messages } from "./messages.js";
import { EmojiPicker, askLabel, recentEmojis, remember } from "./picker.js";
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

  open(host, words, signal) {
    // "Draw more" of Labels gives a label in the address.
    if (words[0]) draft.label = words[0];
    new TrainScreen(host, signal);
  },
};

class TrainScreen {
  constructor(host, signal) {
    this.sheet = new DrawingSheet({
      label: "Drawing sheet. Draw with a mouse, a finger or a pen.",
      drawing: draft,
      hint: "Draw a shape here",
      onchange: () => this.forget(),
      signal,
    });
    this.guess = make("p", { class: "guess", role: "status" });
    this.tools = make("div", { class: "sheet-tools", role: "group", "aria-label": "The sheet" },
      tool(icon("undo"), "Undo", () => this.undo()),
      tool(icon("clear"), "Clear", () => this.sheet.clear()),
      // G-006 calls it Classify, which no child knows.
      tool(icon("why"), "Guess", () => this.classify(), { title: "Classify" }));

    const openPicker = () => this.openPicker();
    this.chosen = make("button", { class: "chosen", type: "button", onclick: openPicker });
    this.quick = make("div", {
      class: "quick", role: "group", "aria-label": "Emojis to pick from",
    });
    this.all = make("button", {
      class: "quick-more", type: "button", "aria-haspopup": "dialog", onclick: openPicker,
    }, icon("search"), "All emojis");
    this.picker = new EmojiPicker((label) => this.pick(label));
    this.inline = make("div", { class: "picker-inline" });
    this.addButton = button("is-ink", [icon("add"), "Add Sample"], () => this.add());

    this.grid = new SampleGrid(signal);
    this.grid.onlabels = () => this.showQuick();
    // Guests add drawings; the owner trains.
    this.training = store.isGuest ? null : new TrainingCard(signal);
    fill(host,
      make("h1", { class: "screen-title", text: store.isGuest ? "Teach" : "Train" }),
      make("div", { class: "train" },
        make("div", { class: "train-desk" },
          make("div", { class: "sheet-frame" }, this.sheet.element, this.guess, this.tools),
          make("section", { class: "label-row", "aria-label": "Emoji for this drawing" },
            this.chosen, this.quick, this.all, this.addButton),
          this.inline),
        make("div", { class: "train-side" }, this.training?.element, this.grid.element)));

    onUndoKey(() => this.undo(), signal);
    listen("draft", () => this.sheet.change(), signal);
    const wide = matchMedia("(min-width: 760px) and (min-height: 1080px)");
    const placePicker = () => {
      this.all.hidden = wide.matches;
      if (!wide.matches) return fill(this.inline);
      fill(this.inline, this.picker.element);
      return this.picker.open().then(() => this.picker.choose(draft.label));
    };
    wide.addEventListener("change", placePicker, { signal });
    placePicker();

    this.sheet.show();
    this.showLabel();
  }

  // MARK: Ink

  /** The drawing has changed: its id and its answer no longer hold. */
  forget() {
    draft.sample = null;
    this.asked = null;
    fill(this.guess);
  }

  undo() {
    if (this.sheet.undo()) speak(this.sheet.isEmpty ? "The sheet is empty." : "Undone.");
    // What a message offers to undo comes after the sheet's own steps.
    else if (!undoNewest()) toast(messages.nothingToUndo);
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
    const label = await askLabel("Pick an emoji", draft.label);
    if (label) this.pick(label);
  }

  // MARK: Requests

  /** Whether there is no drawing; shows a message if so. */
  isBlank() {
    if (!this.sheet.isEmpty) return false;
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
    const sample = { id: draft.sample, label: draft.label, ...this.sheet.content };
    const sent = draft.strokes;
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
        draft.strokes = sent;
        draft.canvas = sample.canvas;
        tell("draft");
      }),
    });
    await load().catch(() => {});
  }

  /** The drawing flies to the saved ones. */
  flyAway(strokes) {
    const { element, ink, surface } = this.sheet;
    const from = element.getBoundingClientRect();
    const to = this.grid.heading.getBoundingClientRect();
    const copy = ink.cloneNode(false);
    showStrokes(copy, surface.size, strokes);
    copy.classList.add("is-flying");
    surface.world.append(copy);
    const dx = Math.max(-600, Math.min(600, to.left - from.left));
    const dy = Math.max(-500, Math.min(700, to.top - from.top));
    const transform = `translate(${dx * 0.6}px, ${dy * 0.6}px) scale(.2)`;
    vanish(copy, transform, 420, "cubic-bezier(.5,0,.6,1)");
  }

  async classify() {
    if (this.isBlank()) return;
    const drawing = this.sheet.content;
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
        make("span", { class: "soft", text: ` ${sure(answer.confidence, answer.label)}` }));
      appear(this.guess, "scale(.8)", 260, spring);
    } else {
      fill(this.guess, answer.message ?? messages.notRecognized,
        answer.reason === "nothingTaught"
          && make("span", { class: "soft", text: ` ${messages.trainFirst}` }));
      animate(this.sheet.ink, shake, { duration: 460 }, [{ opacity: 0.4 }, { opacity: 1 }]);
    }
  }
}
