// The gallery of templates (TR-002, TR-031, TR-042): pick a shape to draw over, or add a picture.

import { api } from "./api.js";
import { askConfirmation, askText } from "./dialogs.js";
import {
  button, count, fill, focusHeading, focusKey, make, roundButton,
} from "./dom.js";
import { doodle, icon } from "./icons.js";
import { coalesce, loadFailure } from "./refresh.js";
import { listen, store } from "./store.js";
import {
  emojiBefore, loadTemplates, recentTemplates, templatePicture, traceAddress,
} from "./templates.js";
import { showError, speak, toast } from "./toasts.js";

const ownTitle = "Your pictures";
/** The longest address. */
const mostOfAddress = 2048;
const accepted = "image/png,image/jpeg,image/svg+xml,.png,.jpg,.jpeg,.svg,.svgz";

export const templatesScreen = {
  title: "Trace",

  open(host, words, signal) {
    let templates = [];
    const list = make("div", { class: "templates" });
    const search = make("input", {
      class: "input", type: "search", placeholder: "Search", autocomplete: "off",
      "aria-label": "Search the templates", oninput: () => show(),
    });
    const own = store.isGuest ? null : new OwnTemplates(() => ask());
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Trace" }),
        make("p", {
          class: "screen-lead",
          text: "Pick a shape, draw over it, and teach the model with what you drew.",
        }),
        own && make("div", { class: "screen-tools" }, own.element)),
      make("label", { class: "template-search" }, icon("search"), search), list);

    const none = () => make("div", { class: "none" }, doodle("empty"),
      make("h2", { text: "No template has that name" }),
      button("is-quiet", "Show all", () => {
        search.value = "";
        show();
        search.focus();
      }));
    const show = () => {
      const query = search.value.trim().toLowerCase();
      const isFound = ({ name, label }) => name.toLowerCase().includes(query) || label === query;
      const found = templates.filter(isFound);
      const recent = query ? [] : recentTemplates()
        .map((id) => templates.find((each) => each.id === id)).filter(Boolean);
      const groups = [
        ["Recent", recent],
        [ownTitle, found.filter(({ source }) => source === "imported"), own],
        ["Your labels", found.filter(({ source }) => source === "label")],
        ["Shapes", found.filter(({ source }) => source === "bundled")],
      ];
      if (query) speak(`${count(found.length, "template")} found.`);
      fill(list, found.length === 0 && templates.length > 0 ? none() : groups.map(group));
    };
    const ask = coalesce(async () => {
      templates = await loadTemplates(store.model.id);
      show();
      own?.goToNew();
    }, (error) => {
      if (templates.length === 0) fill(list, make("ul", {}, loadFailure(error, ask)));
    });
    ask();
    listen("model", ask, signal);
    own?.takeFiles(host, signal);
  },
};

function group([title, templates, own]) {
  if (templates.length === 0) return null;
  return make("section", { class: "template-group" },
    make("h2", { text: title }),
    make("ul", { class: `template-grid${own ? " is-own" : ""}` },
      templates.map((template) => make("li", {},
        make("a", {
          class: "card template", href: traceAddress(template.id),
          data: { key: `${title} ${template.id}` },
        },
          templatePicture(template),
          make("span", { class: "template-name" },
            emojiBefore(template), template.name)),
        own?.tools(template)))));
}

/** What the owner does with templates of their own: `onchange` is called after each change. */
class OwnTemplates {
  constructor(onchange) {
    this.onchange = onchange;
    /** A template that was added and that the list may not have yet. */
    this.shown = null;
    this.file = make("input", {
      class: "unseen", type: "file", accept: accepted, tabindex: "-1", "aria-hidden": "true",
      onchange: () => {
        this.add(this.file.files[0]);
        this.file.value = "";
      },
    });
    this.addButton = button("is-primary", [icon("add"), "Add a picture"], () => this.file.click());
    const web = button("", [icon("web"), "From the web"], () => this.askAddress());
    this.element = [this.addButton, store.hasWeb && web, this.file];
  }

  /** Takes files that are dropped on the screen or pasted, until `signal` aborts. */
  takeFiles(host, signal) {
    const ondrop = (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      if (event.type === "drop") this.add(event.dataTransfer.files[0]);
    };
    const onpaste = ({ clipboardData, target }) => {
      this.add(clipboardData.files[0]);
      const text = clipboardData.getData("text").trim();
      const isAddress = /^https?:\/\/\S+$/i.test(text) && !target.closest?.("input");
      if (store.hasWeb && isAddress) this.askAddress(text);
    };
    host.addEventListener("dragover", ondrop, { signal });
    host.addEventListener("drop", ondrop, { signal });
    document.addEventListener("paste", onpaste, { signal });
  }

  async add(file) {
    if (!file || this.isAdding) return;
    const { templateBytes } = store.limits;
    if (file.size > templateBytes) {
      toast("Couldn’t add the template.", {
        kind: "bad", detail: `It has more than ${templateBytes >> 20} MB; make it smaller.`,
      });
      return;
    }
    this.isAdding = true;
    speak("The picture is being added.");
    this.addButton.setAttribute("aria-busy", "true");
    try {
      this.show(await api.addTemplate(file, nameOf(file)), "is added");
    } catch (error) {
      showError(error);
    } finally {
      this.isAdding = false;
      this.addButton.removeAttribute("aria-busy");
    }
  }

  /** Asks for the address of a picture on the web, and adds it. */
  askAddress(address = "") {
    askText({
      title: "Add a picture from the web",
      fields: [{
        name: "address", label: "Its address", value: address, most: mostOfAddress,
      }],
      yes: "Add it",
      submit: async (values) => {
        const words = values.address.trim();
        const template = await api.fetchTemplate(words, nameOf({ name: lastPart(words) }));
        this.show(template, "is added");
      },
    });
  }

  async makeLines({ id }) {
    if (this.isAdding) return;
    this.isAdding = true;
    try {
      this.show(await api.makeLines(id), "is added: trace it for a score");
    } catch (error) {
      showError(error);
    } finally {
      this.isAdding = false;
    }
  }

  show(template, words) {
    this.shown = template;
    this.onchange();
    toast(`“${template.name}” ${words}.`, { kind: "good" });
  }

  /** Goes to a new template, once the list has it. */
  goToNew() {
    if (!this.shown || !focusKey(`${ownTitle} ${this.shown.id}`)) return;
    document.activeElement.scrollIntoView({ block: "nearest" });
    this.shown = null;
  }

  async remove(template) {
    const isSure = await askConfirmation({
      body: [
        `“${template.name}” will be deleted for good.`,
        "Samples that you traced over it are kept.",
      ],
      yes: "Delete template",
    });
    if (!isSure) return;
    try {
      await api.deleteTemplate(template.id);
    } catch (error) {
      showError(error);
      return;
    }
    await this.onchange();
    focusHeading();
    toast(`“${template.name}” is deleted.`);
  }

  /** What is below a template's tile. */
  tools(template) {
    const { id, name } = template;
    const group = { role: "group", "aria-label": `Actions for ${name}` };
    return make("div", { class: "template-tools", ...group },
      template.picture && button("is-quiet", "Make it lines", () => this.makeLines(template), {
        "aria-label": `Make it lines: ${name}`, data: { key: `lines ${id}` },
      }),
      roundButton(icon("delete"), `Delete ${name}`, () => this.remove(template), {
        data: { key: `delete ${id}` },
      }));
  }
}

/** The name of the file that an address leads to. */
function lastPart(address) {
  try {
    return decodeURIComponent(new URL(address).pathname.split("/").at(-1));
  } catch {
    return "";
  }
}

/** A file's name without its ending, as long as a name may be. */
function nameOf({ name }) {
  const words = name.replace(/\.[a-z]+$/i, "").trim() || "Picture";
  const characters = "Segmenter" in Intl
    ? [...new Intl.Segmenter().segment(words)].map(({ segment }) => segment) : [...words];
  return characters.slice(0, store.limits.nameLength).join("");
}
