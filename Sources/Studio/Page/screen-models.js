// Models (S-005, F-009): create, rename, delete, set active; export and import.

import { api } from "./api.js";
import { count, emoji, fill, focusHeading, focusKey, make, when } from "./dom.js";
import { askSure, askText } from "./dialogs.js";
import { icon } from "./icons.js";
import { absent, whenQuiet } from "./refresh.js";
import { listen, load, store } from "./store.js";
import { complain, toast } from "./toasts.js";

export const modelsScreen = {
  title: "Models",

  open(host) {
    const list = make("ul", { class: "models" });
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
        make("p", { class: "screen-lead", text: "Each model knows its own emojis. The active one learns and plays." }),
        make("div", { class: "screen-tools" },
          make("button", { class: "button is-quiet", type: "button", onclick: () => file.click() }, icon("import"), "Import"),
          make("button", { class: "button is-primary", type: "button", onclick: () => create() }, icon("add"), "New Model"))),
      file, list);
    const ask = whenQuiet(async () => fill(list, (await api.models()).map((model) => card(model))), (error) => {
      if (!list.querySelector(".model-card")) fill(list, absent(error, ask));
    });

    const after = async (change, words, options = {}) => {
      try {
        await change();
        if (words) toast(words, { kind: "good", ...options });
        await load();
      } catch (error) {
        complain(error);
      }
    };

    const create = () => askText({
      title: "New model",
      fields: [{ name: "name", label: "Name", placeholder: "Sea animals", most: store.limits.nameLength }],
      yes: "Create",
      submit: async ({ name }) => {
        const model = await api.createModel(name);
        await api.updateModel(model.id, { isActive: true });
        toast(`“${model.name}” is ready and active.`, { kind: "good" });
        await load();
      },
    });

    const rename = (model) => askText({
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

    const remove = async (model) => {
      const isSure = await askSure({
        body: [`“${model.name}” goes for good, with ${count(model.labelCount, "emoji")}, ${count(model.sampleCount, "drawing")} and all that it learned.`,
          "Export it first if you may want it back."],
        yes: "Delete model",
      });
      if (!isSure) return;
      await after(() => api.deleteModel(model.id), `“${model.name}” is deleted.`, { kind: "plain" });
      focusHeading();
    };

    const take = (chosen) => after(async () => {
      tellImported(await api.importFile(chosen));
    });

    /** What a model knows, at a glance. */
    const faces = (model) => {
      const strip = make("p", { class: "model-faces", "aria-hidden": "true" });
      if (model.labelCount > 0) {
        api.labels(model.id).then((labels) => fill(strip, labels.slice(0, 14).map(({ label }) => emoji(label))), () => {});
      }
      return strip;
    };

    const card = (model) => make("li", { class: `card model-card${model.isActive ? " is-active" : ""}`, data: { model: model.id } },
      make("div", { class: "model-words" },
        make("h2", { class: "model-title", tabindex: "-1", data: { key: `title ${model.id}` } }, make("span", { text: model.name }), model.isActive ? make("span", { class: "tag is-active", text: "Active" }) : null),
        make("p", { class: "soft", text: `${count(model.labelCount, "emoji")} · ${count(model.sampleCount, "drawing")}${model.untrainedCount > 0 ? ` · ${model.untrainedCount} to learn` : ""}` }),
        make("p", { class: "soft", text: `Made ${when(model.created)} · ${model.lastTrained ? `trained ${when(model.lastTrained)}` : "not trained yet"}` }),
        faces(model)),
      make("div", { class: "model-tools", role: "group", "aria-label": `Actions for ${model.name}` },
        model.isActive ? null : make("button", {
          class: "button is-ink", type: "button", text: "Set Active", "aria-label": `Set Active: ${model.name}`,
          onclick: () => {
            // The button goes when the model is active.
            focusKey(`title ${model.id}`);
            after(() => api.updateModel(model.id, { isActive: true }), `“${model.name}” is active now.`);
          },
        }),
        make("button", { class: "button is-quiet", type: "button", data: { key: `rename ${model.id}` }, "aria-label": `Rename ${model.name}`, onclick: () => rename(model) }, icon("rename"), make("span", { text: "Rename" })),
        make("a", { class: "button is-quiet", href: api.exportAddress(model.id), download: "", data: { key: `export ${model.id}` }, "aria-label": `Export ${model.name}` }, icon("export"), make("span", { text: "Export" })),
        make("button", { class: "button is-quiet is-danger", type: "button", data: { key: `delete ${model.id}` }, "aria-label": `Delete ${model.name}`, onclick: () => remove(model) }, icon("delete"), make("span", { text: "Delete" }))));

    ask();
    return { close: listen("model", ask) };
  },
};

/** What an import brought, and what was here already: “nothing new” is not “imported”. */
function tellImported({ added, unchanged }) {
  const was = unchanged.length === 1 ? "is" : "are";
  if (added.length + unchanged.length === 0) toast("There is no model in that file.");
  else if (added.length === 0) toast(`Nothing new: ${named(unchanged)} ${was} already here.`);
  else toast(`${named(added)} added.`, { kind: "good", detail: unchanged.length > 0 ? `${named(unchanged)} ${was} already here.` : "" });
}

/** Models by their names, while those are few. */
function named(models) {
  return models.length > 2 ? count(models.length, "model") : models.map(({ name }) => `“${name}”`).join(" and ");
}
