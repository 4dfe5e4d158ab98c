// Labels (S-004, F-007): the emojis that the model has learned, how many samples each has; rename and delete.

import { api } from "./api.js";
import { count, emoji, fill, focusHeading, make, onUndoKey } from "./dom.js";
import { askSure, askText } from "./dialogs.js";
import { doodle, icon } from "./icons.js";
import { inkPicture } from "./ink-picture.js";
import { EmojiPicker, nameOf } from "./picker.js";
import { absent, whenQuiet } from "./refresh.js";
import { go } from "./router.js";
import { listen, load, store } from "./store.js";
import { complain, toast, undoNewest } from "./toasts.js";

export const labelsScreen = {
  title: "Labels",

  open(host) {
    const lead = make("p", { class: "screen-lead" });
    const list = make("ul", { class: "labels" });
    fill(host, make("div", { class: "screen-head" }, make("h1", { class: "screen-title is-seen", text: "Labels" }), lead), list);

    const ask = whenQuiet(async () => {
      const model = store.model;
      const labels = await api.labels(model.id);
      lead.textContent = labels.length === 0
        ? ""
        : `${model.name} has ${count(labels.filter(({ sampleCount }) => sampleCount > 0).length, "emoji")} from ${count(labels.reduce((sum, each) => sum + each.sampleCount, 0), "drawing")}.`;
      fill(list, labels.length === 0 ? none() : labels.map(card));
    }, (error) => {
      if (!list.querySelector(".label-card")) fill(list, absent(error, ask));
    });
    ask();
    const ends = [listen("model", ask), onUndoKey(undoNewest)];
    return { close: () => ends.forEach((end) => end()) };
  },
};

function none() {
  return make("li", { class: "none" }, doodle("empty"),
    make("h2", { text: "No labels yet" }),
    make("p", { class: "soft", text: "Every emoji you add a sample for stands here." }),
    make("a", { class: "button is-primary", href: "#train", text: "Draw the first one" }));
}

function card(label) {
  const words = make("p", { class: "label-name", text: label.name || label.label });
  if (!label.name) {
    nameOf(label.label).then((name) => {
      words.textContent = name;
    });
  }
  const fresh = label.sampleCount - label.taughtCount;
  // Its samples are gone, but the model has not yet been told.
  const isLeaving = label.sampleCount === 0;
  return make("li", { class: `card label-card${isLeaving ? " is-leaving" : ""}` },
    make("div", { class: "label-face" }, emoji(label.label, { class: "label-emoji", "aria-hidden": "true" }),
      label.example ? make("div", { class: "label-example" }, inkPicture(label.example.strokes)) : null),
    make("div", { class: "label-side" },
      make("div", { class: "label-words" }, words,
        make("p", { class: "soft" }, make("span", { class: "label-count", text: count(label.sampleCount, "sample") }),
          fresh > 0 ? make("span", { class: "tag is-new", text: `${fresh} to learn` }) : null,
          isLeaving ? make("span", { class: "tag", text: "forgotten with the next training" }) : null)),
      isLeaving ? null : make("div", { class: "label-tools" },
        make("button", { class: "round-button", type: "button", data: { key: `more ${label.label}` }, "aria-label": `Draw more of ${label.label}`, title: "Draw more", onclick: () => go("train", label.label) }, icon("add")),
        make("button", { class: "round-button", type: "button", data: { key: `rename ${label.label}` }, "aria-label": `Rename ${label.label}`, title: "Rename", onclick: () => rename(label) }, icon("rename")),
        make("button", { class: "round-button is-danger", type: "button", data: { key: `delete ${label.label}` }, "aria-label": `Delete ${label.label}`, title: "Delete", onclick: () => remove(label) }, icon("delete")))));
}

/** Another emoji, another name, or both. */
function rename(label) {
  let chosen = label.label;
  const face = make("button", { class: "chosen", type: "button", "aria-label": `Emoji: ${chosen}. Pick another`, "aria-expanded": "false" }, emoji(chosen, { "aria-hidden": "true" }));
  const picker = new EmojiPicker((picked) => {
    chosen = picked;
    fill(face, emoji(picked, { "aria-hidden": "true" }));
    face.setAttribute("aria-label", `Emoji: ${picked}. Pick another`);
    toggle(false);
    face.focus();
  });
  picker.element.hidden = true;
  const toggle = async (isOpen) => {
    picker.element.hidden = !isOpen;
    face.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      await picker.open();
      picker.choose(chosen);
      picker.input.focus();
    }
  };
  face.addEventListener("click", () => toggle(picker.element.hidden));
  askText({
    title: "Rename label",
    fields: [{ name: "name", label: "Name (if you like)", value: label.name ?? "", required: false, most: store.limits.nameLength, placeholder: "What you call it" }],
    yes: "Rename",
    extra: [make("div", { class: "field" }, make("p", { class: "field-label", text: "Emoji" }), face), picker.element],
    submit: async ({ name }) => {
      const changes = {};
      if (chosen !== label.label) changes.label = chosen;
      if (name !== (label.name ?? "")) changes.name = name === "" ? null : name;
      if (Object.keys(changes).length === 0) return;
      try {
        await api.updateLabel(store.model.id, label.label, changes);
      } catch (error) {
        if (error.code !== "labelTaken") throw error;
        const isSure = await askSure({
          body: [`There is a label ${chosen} already. The ${count(label.sampleCount, "sample")} of ${label.label} would be added to it, and cannot be told apart later.`],
          yes: "Put together", no: "Go back",
        });
        if (!isSure) throw new Error("Pick another emoji, then.");
        await api.updateLabel(store.model.id, label.label, { ...changes, merge: true });
      }
      toast("Label renamed.", { emoji: chosen, kind: "good" });
      await load();
    },
  });
}

async function remove(label) {
  const model = store.model.id;
  const isSure = await askSure({
    body: [`The label ${label.label} and its ${count(label.sampleCount, "sample")} will be deleted from “${store.model.name}”.`],
    yes: "Delete label",
  });
  if (!isSure) return;
  try {
    await api.deleteLabel(model, label.label);
    toast(`Label ${label.label} deleted.`, { action: "Undo", seconds: 20, onaction: () => bringBack(model, label.label) });
    focusHeading();
    await load();
  } catch (error) {
    complain(error);
  }
}

/** A label that was deleted, with its drawings and its name. */
async function bringBack(model, deleted) {
  try {
    const { label, sampleCount } = await api.restoreLabel(model, deleted);
    toast(`${count(sampleCount, "drawing")} of ${label} ${sampleCount === 1 ? "is" : "are"} back.`, { kind: "good" });
    await load();
  } catch (error) {
    // Who was not heard can ask once more.
    const again = error.status === 0 ? { action: "Undo", seconds: 20, onaction: () => bringBack(model, deleted) } : {};
    complain(error, undefined, again);
  }
}
