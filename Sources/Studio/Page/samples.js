// The drawings that a model was given (S-002's small grid): look, relabel, delete, and take a deletion back.

import { api } from "./api.js";
import { animate, count, emoji, fill, fillRow, focusKey, make, when } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { inkPicture } from "./ink-picture.js";
import { EmojiPicker, nameOf } from "./picker.js";
import { absent, whenQuiet } from "./refresh.js";
import { keepNames, listen, load, store } from "./store.js";
import { complain, toast } from "./toasts.js";

export class SampleGrid {
  constructor() {
    this.filter = null;
    this.samples = [];
    this.next = null;
    this.labels = [];
    this.heading = make("h2", { id: "samples-title", text: "Saved drawings", tabindex: "-1" });
    this.filters = make("div", { class: "chips", role: "group", "aria-label": "Show the drawings of" });
    this.grid = make("ul", { class: "thumbs" });
    this.moreButton = make("button", { class: "button is-quiet", type: "button", text: "Show more", hidden: true, onclick: () => this.more() });
    this.element = make("section", { class: "card samples", "aria-labelledby": "samples-title" },
      this.heading, this.filters, this.grid, this.moreButton);
    this.refresh = whenQuiet(() => this.ask(), (error) => {
      if (!this.grid.firstChild) fill(this.grid, absent(error, this.refresh));
    });
    this.ends = [
      listen("model", () => this.refresh()),
      listen("open-sample", (sample) => this.open(sample)),
    ];
    this.refresh();
  }

  close() {
    for (const end of this.ends) end();
  }

  async ask() {
    const model = store.model?.id;
    if (!model) return;
    const shown = () => Math.min(500, Math.max(60, this.samples.length));
    const limit = shown();
    const [labels, page] = await Promise.all([api.labels(model), api.samples(model, { label: this.filter, limit })]);
    if (model !== store.model?.id) return;
    // More were shown meanwhile than this answer has.
    if (shown() > limit) return this.ask();
    keepNames(model, labels);
    if (this.filter && !labels.some(({ label, sampleCount }) => label === this.filter && sampleCount > 0)) {
      this.filter = null;
      return this.ask();
    }
    this.labels = labels.filter(({ sampleCount }) => sampleCount > 0);
    this.samples = page.samples;
    this.next = page.next;
    this.show();
    this.onlabels?.();
  }

  async more() {
    try {
      const page = await api.samples(store.model.id, { label: this.filter, before: this.next });
      const focus = this.samples.length;
      this.samples = [...this.samples, ...page.samples];
      this.next = page.next;
      this.show();
      this.grid.children[focus]?.querySelector("button")?.focus();
    } catch (error) {
      complain(error);
    }
  }

  show() {
    const total = this.labels.reduce((sum, { sampleCount }) => sum + sampleCount, 0);
    this.heading.textContent = total > 0 ? `Saved drawings (${total.toLocaleString("en")})` : "Saved drawings";
    const filter = (label, words, number, name) => make("button", {
      class: "chip", type: "button", data: { key: `chip ${label ?? ""}` }, "aria-pressed": String(this.filter === label),
      "aria-label": `${name}, ${count(number, "drawing")}`,
      onclick: () => {
        this.filter = label;
        this.samples = [];
        this.refresh();
      },
    }, label ? emoji(words) : words, make("span", { class: "chip-count", text: String(number) }));
    fillRow(this.filters, total > 0
      ? [filter(null, "All", total, "All"), ...this.labels.map(({ label, sampleCount }) => filter(label, label, sampleCount, label))]
      : []);
    if (this.samples.length === 0) {
      fill(this.grid, make("li", { class: "thumbs-none", text: "Nothing saved yet. The first drawing is the bravest." }));
    } else {
      fill(this.grid, this.samples.map((sample) => this.thumb(sample)));
    }
    this.moreButton.hidden = this.next === null;
  }

  thumb(sample) {
    const button = make("button", {
      class: `thumb${sample.isTaught ? "" : " is-fresh"}`, type: "button", data: { key: sample.id },
      "aria-label": `Drawing of ${sample.label}, ${when(sample.created)}${sample.isTaught ? "" : ", not learned yet"}. Open it.`,
      onclick: () => this.open(sample),
    }, inkPicture(sample.strokes), emoji(sample.label, { class: "thumb-emoji", "aria-hidden": "true" }));
    return make("li", {}, button);
  }

  /** A drawing by itself: what it is, and what can be done with it. */
  open(sample) {
    const title = make("span", { text: sample.label });
    const picker = new EmojiPicker(async (label) => {
      dialog.close();
      if (label !== sample.label) await this.relabel(sample, label);
    });
    picker.element.hidden = true;
    const change = make("button", {
      class: "button", type: "button", text: "Change emoji", "aria-expanded": "false",
      onclick: async () => {
        picker.element.hidden = !picker.element.hidden;
        change.setAttribute("aria-expanded", String(!picker.element.hidden));
        if (!picker.element.hidden) {
          await picker.open();
          picker.choose(sample.label);
          picker.input.focus();
        }
      },
    });
    const remove = make("button", {
      class: "button is-danger", type: "button", text: "Delete",
      onclick: () => {
        dialog.close();
        this.remove(sample);
      },
    });
    const dialog = openDialog({
      title: "A saved drawing",
      kind: "is-sample",
      body: [
        make("div", { class: "sample-view" },
          make("div", { class: "sample-paper" }, inkPicture(sample.strokes, { name: `The drawing of ${sample.label}` })),
          make("div", { class: "sample-facts" },
            emoji(sample.label, { class: "sample-emoji" }),
            make("p", { class: "sample-name" }, title),
            make("p", { class: "soft", text: `Saved ${when(sample.created)}` }),
            make("p", { class: "soft", text: sample.isTaught ? "The model has learned it." : "The model has not learned it yet." }))),
        make("div", { class: "dialog-actions is-left" }, change, remove),
        picker.element,
      ],
    });
    nameOf(sample.label).then((name) => {
      title.textContent = name;
    });
  }

  async relabel(sample, label) {
    try {
      await api.relabelSample(store.model.id, sample.id, label);
      toast(`Now it is ${label}.`, {
        emoji: label, action: "Undo",
        onaction: async () => {
          try {
            await api.relabelSample(store.model.id, sample.id, sample.label);
            await load();
          } catch (error) {
            complain(error);
          }
        },
      });
      await load();
    } catch (error) {
      complain(error);
    }
  }

  async remove(sample) {
    const model = store.model.id;
    const element = this.grid.querySelector(`[data-key="${CSS.escape(sample.id)}"]`);
    const item = element?.closest("li");
    const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector("button")?.dataset.key;
    try {
      await api.deleteSample(model, sample.id);
    } catch (error) {
      complain(error);
      return;
    }
    if (element) await animate(element, [{ opacity: 1 }, { opacity: 0, transform: "scale(.8) rotate(4deg)" }], { duration: 180, easing: "ease-in" });
    const { id, label, canvas, strokes } = sample;
    toast("Drawing deleted.", {
      action: "Undo", seconds: 20,
      onaction: async () => {
        try {
          await api.addSample(model, { id, label, canvas, strokes });
          await load();
        } catch (error) {
          complain(error);
        }
      },
    });
    if (!next || !focusKey(next, this.grid)) this.heading.focus();
    await load().catch(() => {});
  }
}
