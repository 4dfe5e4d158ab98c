// Labels (S-004, F-007): the model's emojis and their samples; rename and delete.

import { api } from "./api.js";
import {
  count, decorativeEmoji, fill, focusHeading, make, onUndoKey, roundButton,
} from "./dom.js";
import { askConfirmation, askText } from "./dialogs.js";
import { nameOf } from "./emojis.js";
import { doodle, icon } from "./icons.js";
import { inkPicture } from "./ink-picture.js";
import { askLabel } from "./picker.js";
import { change, coalesce, loadFailure } from "./refresh.js";
import { go } from "./router.js";
import { canTeach, listen, load, store } from "./store.js";
import { showError, toast, undoNewest } from "./toasts.js";

/** The labels that were deleted here and not restored: `{model, label}`, the newest last. */
let deletions = [];

export const labelsScreen = {
  title: "Labels",

  open(host, words, signal) {
    const lead = make("p", { class: "screen-lead" });
    const list = make("ul", { class: "labels" });
    const title = make("h1", { class: "screen-title is-seen", text: "Labels" });
    fill(host, make("div", { class: "screen-head" }, title, lead), list);

    const ask = coalesce(async () => {
      const model = store.model;
      const labels = await api.labels(model.id);
      const counts = labels.map(({ sampleCount }) => sampleCount);
      const emojis = count(counts.filter((each) => each > 0).length, "emoji");
      const drawings = count(counts.reduce((sum, each) => sum + each, 0), "drawing");
      lead.textContent = labels.length > 0 ? `${model.name} has ${emojis} from ${drawings}.` : "";
      fill(list, labels.length === 0 ? none() : labels.map(card));
    }, (error) => {
      if (!list.querySelector(".label-card")) fill(list, loadFailure(error, ask));
    });
    ask();
    // A guest's right to draw more comes and goes with the settings.
    for (const kind of ["model", "settings"]) listen(kind, ask, signal);
    onUndoKey(undo, signal);
  },
};

function none() {
  return make("li", { class: "none" }, doodle("empty"),
    make("h2", { text: "No labels yet" }),
    make("p", { class: "soft", text: "Every emoji that you teach is listed here." }),
    canTeach()
      && make("a", { class: "button is-primary", href: "#train", text: "Draw the first one" }));
}

function card(label) {
  const words = make("p", { class: "label-name", text: label.name || label.label });
  if (!label.name) {
    nameOf(label.label).then((name) => {
      words.textContent = name;
    });
  }
  const fresh = label.sampleCount - label.taughtCount;
  // Its samples are deleted, but the model was not trained since.
  const isLeaving = label.sampleCount === 0;
  const tool = (name, title, act, settings = {}) =>
    roundButton(icon(name), `${title}${name === "add" ? " of" : ""} ${label.label}`, act, {
      title, data: { key: `${name} ${label.label}` }, ...settings,
    });
  return make("li", { class: `card label-card${isLeaving ? " is-leaving" : ""}` },
    make("div", { class: "label-face" },
      decorativeEmoji(label.label, "label-emoji"),
      label.example && make("div", { class: "label-example" }, inkPicture(label.example.strokes))),
    make("div", { class: "label-side" },
      make("div", { class: "label-words" }, words,
        make("p", { class: "soft" },
          make("span", { class: "label-count", text: count(label.sampleCount, "sample") }),
          fresh > 0 && make("span", { class: "tag is-new", text: `${fresh} to learn` }),
          isLeaving && make("span", { class: "tag", text: "forgotten at the next training" }))),
      !isLeaving && make("div", { class: "label-tools" },
        canTeach() && tool("add", "Draw more", () => go("train", label.label)),
        !store.isGuest && [
          tool("rename", "Rename", () => rename(label)),
          tool("delete", "Delete", () => remove(label), { class: "round-button is-danger" }),
        ])));
}

/** Changes the emoji, the name, or both. */
function rename(label) {
  // Another model may be in use before it is submitted.
  const model = store.model.id;
  let chosen = label.label;
  const face = make("button", {
    class: "chosen", type: "button", "aria-haspopup": "dialog",
    onclick: async () => {
      chosen = (await askLabel("Pick an emoji", chosen)) ?? chosen;
      show();
    },
  });
  const show = () => {
    fill(face, decorativeEmoji(chosen));
    face.setAttribute("aria-label", `Emoji: ${chosen}. Pick another`);
  };
  show();
  askText({
    title: "Rename label",
    fields: [{
      name: "name", label: "Name (if you like)", value: label.name ?? "", required: false,
      most: store.limits.nameLength, placeholder: "Your name for it",
    }],
    yes: "Rename",
    extra: [
      make("div", { class: "field" }, make("p", { class: "field-label", text: "Emoji" }), face),
    ],
    submit: async ({ name }) => {
      const changes = {};
      if (chosen !== label.label) changes.label = chosen;
      if (name !== (label.name ?? "")) changes.name = name === "" ? null : name;
      if (Object.keys(changes).length === 0) return;
      try {
        await api.updateLabel(model, label.label, changes);
      } catch (error) {
        if (error.code !== "labelTaken") throw error;
        const samples = `${count(label.sampleCount, "sample")} of ${label.label}`;
        const isSure = await askConfirmation({
          body: `There is already a label ${chosen}. The ${samples} would be added to it, `
            + "and cannot be told apart later.",
          yes: "Put together", no: "Go back",
        });
        if (!isSure) throw new Error("Pick another emoji, then.");
        await api.updateLabel(model, label.label, { ...changes, merge: true });
      }
      toast("Label renamed.", { emoji: chosen, kind: "good" });
      await load();
    },
  });
}

async function remove(label) {
  const model = store.model.id;
  const what = `The label ${label.label} and its ${count(label.sampleCount, "sample")}`;
  const isSure = await askConfirmation({
    body: `${what} will be deleted from “${store.model.name}”.`, yes: "Delete label",
  });
  if (!isSure) return;
  await change(async () => {
    await api.deleteLabel(model, label.label);
    deletions.push({ model, label: label.label });
    toast(`Label ${label.label} deleted.`, restoring(model, label.label));
    focusHeading();
  });
}

/** What the newest message offers to undo or, once that is gone, the model's newest deletion. */
function undo() {
  if (undoNewest()) return;
  const last = deletions.findLast(({ model }) => model === store.model.id);
  if (last) restore(last.model, last.label);
}

function forgetDeletion(model, label) {
  deletions = deletions.filter((each) => each.model !== model || each.label !== label);
}

/** Restores a deleted label with its drawings and its name. */
async function restore(model, deleted) {
  try {
    const { label, sampleCount } = await api.restoreLabel(model, deleted);
    forgetDeletion(model, deleted);
    const drawings = count(sampleCount, "drawing");
    toast(`${drawings} of ${label} ${sampleCount === 1 ? "is" : "are"} back.`, { kind: "good" });
    await load();
  } catch (error) {
    // The studio was restarted since: it keeps nothing to restore.
    if (error.status === 404) forgetDeletion(model, deleted);
    // Undo can be tried again if the server did not respond.
    showError(error, undefined, error.status === 0 ? restoring(model, deleted) : {});
  }
}

/** The Undo of a toast about a deleted label. */
function restoring(model, deleted) {
  return { action: "Undo", seconds: 20, onaction: () => restore(model, deleted) };
}
