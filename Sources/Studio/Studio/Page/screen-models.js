// Models (S-005, F-009): create, rename, delete, set active; export and import.

import { api } from "./api.js";
import { button, count, emoji, fill, focusHeading, focusKey, make, when } from "./dom.js";
import { ModelChoice } from "./browser-model.js";
import { askConfirmation, askText } from "./dialogs.js";
import { factsOf, tryEveryday } from "./everyday.js";
import { icon } from "./icons.js";
import { change, coalesce, loadFailure } from "./refresh.js";
import { listen, load, store, useModel } from "./store.js";
import { toast } from "./toasts.js";

export const modelsScreen = {
  title: "Models",

  open(host, words, signal) {
    const list = make("ul", { class: "models" });
    const choice = new ModelChoice("model-in-use", signal);
    if (store.isGuest) {
      showChoice(host, choice);
      return;
    }
    const file = make("input", {
      class: "unseen", type: "file", id: "import-file", tabindex: "-1", "aria-hidden": "true",
      onchange: () => {
        if (file.files[0]) take(file.files[0]);
        file.value = "";
      },
    });
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Models" }),
        make("p", {
          class: "screen-lead",
          text: "Each model knows its own emojis. The active one learns and plays.",
        }),
        make("div", { class: "screen-tools" },
          button("is-quiet", [icon("import"), "Import"], () => file.click()),
          button("is-quiet", [icon("models"), "Everyday Things"], tryEveryday),
          button("is-primary", [icon("add"), "New Model"], create))),
      file, choice.element, list);
    const ask = coalesce(async () => fill(list, (await api.models()).map(card)), (error) => {
      if (!list.querySelector(".model-card")) fill(list, loadFailure(error, ask));
    });
    ask();
    listen("model", ask, signal);
  },
};

/** A guest chooses a model, and changes none. */
function showChoice(host, choice) {
  fill(host,
    make("div", { class: "screen-head" },
      make("h1", { class: "screen-title is-seen", text: "Models" }),
      make("p", { class: "screen-lead", text: "Each model knows its own emojis." })),
    choice.element);
}

function create() {
  askText({
    title: "New model",
    fields: [
      { name: "name", label: "Name", placeholder: "Sea animals", most: store.limits.nameLength },
    ],
    yes: "Create",
    submit: async ({ name }) => {
      const model = await api.createModel(name);
      await useModel(model.id);
      toast(`“${model.name}” is ready and active.`, { kind: "good" });
      await load();
    },
  });
}

function rename(model) {
  askText({
    title: "Rename model",
    fields: [{ name: "name", label: "Name", value: model.name, most: store.limits.nameLength }],
    yes: "Rename",
    submit: async ({ name }) => {
      if (name === model.name) return;
      await api.updateModel(model.id, { name });
      toast("Model renamed.", { kind: "good" });
      await load();
    },
  });
}

async function remove({ id, name, labelCount, sampleCount }) {
  const content = `${count(labelCount, "emoji")}, ${count(sampleCount, "drawing")}`;
  const isSure = await askConfirmation({
    body: [
      `“${name}” will be deleted for good, with ${content} and all that it learned.`,
      "Export it first if you may want it back.",
    ],
    yes: "Delete model",
  });
  if (!isSure) return;
  await change(async () => {
    await api.deleteModel(id);
    toast(`“${name}” is deleted.`);
  });
  focusHeading();
}

function activate({ id, name }) {
  // The button is gone when the model is active.
  focusKey(`title ${id}`);
  change(async () => {
    await api.updateModel(id, { isActive: true });
    toast(`“${name}” is active now.`, { kind: "good" });
  });
}

/** The emojis of a model. */
function faces({ id, labelCount }) {
  const strip = make("p", { class: "model-faces", "aria-hidden": "true" });
  const show = (labels) => fill(strip, labels.slice(0, 14).map(({ label }) => emoji(label)));
  if (labelCount > 0) api.labels(id).then(show, () => {});
  return strip;
}

function card(model) {
  const { id, name, isActive, untrainedCount, lastTrained } = model;
  const facts = [
    ...factsOf(model), count(model.labelCount, "emoji"), count(model.sampleCount, "drawing"),
  ];
  if (untrainedCount > 0) facts.push(`${untrainedCount} to learn`);
  const dates = [
    `Made ${when(model.created)}`, lastTrained ? `trained ${when(lastTrained)}` : "not trained yet",
  ];
  const settings = (action) => ({
    data: { key: `${action.toLowerCase()} ${id}` }, "aria-label": `${action} ${name}`,
  });
  const content = (action) => [icon(action.toLowerCase()), make("span", { text: action })];
  const look = `card model-card${isActive ? " is-active" : ""}`;
  return make("li", { class: look, data: { model: id } },
    make("div", { class: "model-words" },
      make("h2", { class: "model-title", tabindex: "-1", data: { key: `title ${id}` } },
        make("span", { text: name }),
        isActive && make("span", { class: "tag is-active", text: "Active" }),
        id === store.chosen && make("span", { class: "tag is-active", text: "In this browser" })),
      make("p", { class: "soft", text: facts.join(" · ") }),
      make("p", { class: "soft", text: dates.join(" · ") }),
      faces(model)),
    make("div", { class: "model-tools", role: "group", "aria-label": `Actions for ${name}` },
      !isActive && button("is-ink", "Set Active", () => activate(model), {
        "aria-label": `Set Active: ${name}`,
      }),
      button("is-quiet", content("Rename"), () => rename(model), settings("Rename")),
      make("a", {
        class: "button is-quiet", href: api.exportAddress(id), download: "", ...settings("Export"),
      }, content("Export")),
      button("is-quiet is-danger", content("Delete"), () => remove(model), settings("Delete"))));
}

/** Imports a file, and shows what was new: “nothing new” is not “imported”. */
function take(file) {
  change(async () => {
    const { added, unchanged, addedArtworks } = await api.importFile(file);
    const are = unchanged.length === 1 ? "is" : "are";
    const known = unchanged.length > 0 ? `${named(unchanged)} ${are} already here.` : "";
    const news = [
      added.length > 0 && named(added), addedArtworks > 0 && count(addedArtworks, "picture"),
    ].filter(Boolean).join(" and ");
    if (news) toast(`${news} added.`, { kind: "good", detail: known });
    else toast(known ? `Nothing new: ${known}` : "There is no model in that file.");
  });
}

/** The models' names; their number if there are more than two. */
function named(models) {
  if (models.length > 2) return count(models.length, "model");
  return models.map(({ name }) => `“${name}”`).join(" and ");
}
