// The saved drawings of a model (S-002's small grid): view, relabel, delete, and undo that.

import { api } from "./api.js";
import { button, count, emoji, fill, fillRow, focusKey, make, vanish, when } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { nameOf } from "./emojis.js";
import { inkPicture, thumbMark } from "./ink-picture.js";
import { askLabel } from "./picker.js";
import { change, coalesce, loadFailure } from "./refresh.js";
import { keepNames, listen, load, store } from "./store.js";
import { showError, toast } from "./toasts.js";

export class SampleGrid {
  /** @param {AbortSignal} signal Ends it. */
  constructor(signal) {
    this.filter = null;
    this.samples = [];
    this.next = null;
    this.labels = [];
    this.heading = make("h2", { id: "samples-title", text: "Saved drawings", tabindex: "-1" });
    this.filters = make("div", {
      class: "chips", role: "group", "aria-label": "Show the drawings of",
    });
    this.grid = make("ul", { class: "thumbs" });
    this.moreButton = button("is-quiet", "Show more", () => this.more(), { hidden: true });
    this.element = make("section", { class: "card samples", "aria-labelledby": "samples-title" },
      this.heading, this.filters, this.grid, this.moreButton);
    this.refresh = coalesce(() => this.ask(), (error) => {
      if (!this.grid.firstChild) fill(this.grid, loadFailure(error, this.refresh));
    });
    listen("model", () => this.refresh(), signal);
    listen("open-sample", (sample) => this.open(sample), signal);
    this.refresh();
  }

  async ask() {
    const model = store.model?.id;
    if (!model) return;
    const shown = () => Math.min(500, Math.max(60, this.samples.length));
    const limit = shown();
    const [labels, page] = await Promise.all([
      api.labels(model), api.samples(model, { label: this.filter, limit }),
    ]);
    if (model !== store.model?.id) return;
    // Meanwhile more were loaded than this response has.
    if (shown() > limit) return this.ask();
    keepNames(model, labels);
    this.labels = labels.filter(({ sampleCount }) => sampleCount > 0);
    if (this.filter && !this.labels.some(({ label }) => label === this.filter)) {
      this.filter = null;
      return this.ask();
    }
    this.samples = page.samples;
    this.next = page.next;
    this.show();
    this.onlabels?.();
  }

  async more() {
    const { next, filter } = this;
    try {
      const page = await api.samples(store.model.id, { label: filter, before: next });
      // Pressed twice, or others are shown by now.
      if (this.next !== next || this.filter !== filter) return;
      const focus = this.samples.length;
      this.samples = [...this.samples, ...page.samples];
      this.next = page.next;
      this.show();
      this.grid.children[focus]?.querySelector("button")?.focus();
    } catch (error) {
      showError(error);
    }
  }

  show() {
    const total = this.labels.reduce((sum, { sampleCount }) => sum + sampleCount, 0);
    const number = total > 0 ? ` (${total.toLocaleString("en")})` : "";
    this.heading.textContent = `Saved drawings${number}`;
    const chips = this.labels.map(({ label, sampleCount }) => this.chip(label, sampleCount));
    fillRow(this.filters, total > 0 ? [this.chip(null, total), ...chips] : []);
    const none = "Nothing saved yet. The first drawing is the bravest.";
    fill(this.grid, this.samples.length === 0
      ? make("li", { class: "thumbs-none", text: none })
      : this.samples.map((sample) => this.thumb(sample)));
    this.moreButton.hidden = this.next === null;
  }

  /** Shows the drawings of a label only; those of all labels for null. */
  chip(label, number) {
    return make("button", {
      class: "chip", type: "button", data: { key: `chip ${label ?? ""}` },
      "aria-pressed": String(this.filter === label),
      "aria-label": `${label ?? "All"}, ${count(number, "drawing")}`,
      onclick: () => {
        this.filter = label;
        this.samples = [];
        this.refresh();
      },
    }, label ? emoji(label) : "All", make("span", { class: "chip-count", text: String(number) }));
  }

  thumb(sample) {
    const { label, isTaught } = sample;
    const state = `${when(sample.created)}${isTaught ? "" : ", not learned yet"}`;
    return make("li", {}, make("button", {
      class: `thumb${isTaught ? "" : " is-fresh"}`, type: "button", data: { key: sample.id },
      "aria-label": `Drawing of ${label}, ${state}. Open it.`, onclick: () => this.open(sample),
    }, inkPicture(sample.strokes), thumbMark(label)));
  }

  /** Opens a drawing in a dialog, with its actions. */
  open(sample) {
    // Another model may be in use before an action is done.
    const model = store.model.id;
    const title = make("span", { text: sample.label });
    const relabel = button("", "Change emoji", async () => {
      const label = await askLabel("It is a …", sample.label);
      if (!label) return;
      dialog.close();
      if (label !== sample.label) await this.relabel(sample, label, model);
    }, { "aria-haspopup": "dialog" });
    const remove = button("is-danger", "Delete", () => {
      dialog.close();
      this.remove(sample, model);
    });
    const learned = sample.isTaught ? "has learned it." : "has not learned it yet.";
    const dialog = openDialog({
      title: "A saved drawing",
      body: [
        make("div", { class: "sample-view" },
          make("div", { class: "sample-paper" },
            inkPicture(sample.strokes, `The drawing of ${sample.label}`)),
          make("div", { class: "sample-facts" },
            emoji(sample.label, { class: "sample-emoji" }),
            make("p", { class: "sample-name" }, title),
            make("p", { class: "soft", text: `Saved ${when(sample.created)}` }),
            make("p", { class: "soft", text: `The model ${learned}` }))),
        !store.isGuest && make("div", { class: "dialog-actions is-left" }, relabel, remove),
      ],
    });
    nameOf(sample.label).then((name) => {
      title.textContent = name;
    });
  }

  async relabel({ id, label: before }, label, model) {
    await change(async () => {
      await api.relabelSample(model, id, label);
      toast(`Now it is ${label}.`, {
        emoji: label, action: "Undo",
        onaction: () => change(() => api.relabelSample(model, id, before)),
      });
    });
  }

  async remove(sample, model) {
    const item = this.grid.querySelector(`[data-key="${CSS.escape(sample.id)}"]`)?.closest("li");
    const beside = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = beside?.querySelector("button")?.dataset.key;
    try {
      await api.deleteSample(model, sample.id);
    } catch (error) {
      showError(error);
      return;
    }
    if (item) await vanish(item, "scale(.8) rotate(4deg)", 180);
    toast("Drawing deleted.", {
      action: "Undo", seconds: 20,
      onaction: () => change(() => api.restoreSample(model, sample.id)),
    });
    if (!next || !focusKey(next, this.grid)) this.heading.focus();
    await load().catch(() => {});
  }
}
