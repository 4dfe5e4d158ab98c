// The gallery of templates (TR-002, TR-042): pick a shape to draw over.

import { button, count, decorativeEmoji, fill, make } from "./dom.js";
import { doodle, icon } from "./icons.js";
import { coalesce, loadFailure } from "./refresh.js";
import { listen, store } from "./store.js";
import { loadTemplates, recentTemplates, templatePicture, traceAddress } from "./templates.js";
import { speak } from "./toasts.js";

export const templatesScreen = {
  title: "Trace",

  open(host) {
    let templates = [];
    const list = make("div", { class: "templates" });
    const search = make("input", {
      class: "input", type: "search", placeholder: "Search", autocomplete: "off",
      "aria-label": "Search the templates", oninput: () => show(),
    });
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Trace" }),
        make("p", {
          class: "screen-lead",
          text: "Pick a shape, draw over it, and teach the model with what you drew.",
        })),
      make("label", { class: "template-search" }, icon("search"), search), list);

    const none = () => make("div", { class: "none" }, doodle("empty"),
      make("h2", { text: "No template has that name" }),
      button("is-quiet", "Show all", () => {
        search.value = "";
        show();
        search.focus();
      }));
    const show = () => {
      const words = search.value.trim().toLowerCase();
      const isFound = ({ name, label }) => name.toLowerCase().includes(words) || label === words;
      const found = templates.filter(isFound);
      const recent = words ? [] : recentTemplates()
        .map((id) => templates.find((each) => each.id === id)).filter(Boolean);
      const groups = [
        ["Recent", recent],
        ["Your labels", found.filter(({ source }) => source === "label")],
        ["Shapes", found.filter(({ source }) => source === "bundled")],
      ];
      if (words) speak(`${count(found.length, "template")} found.`);
      fill(list, found.length === 0 && templates.length > 0 ? none() : groups.map(group));
    };
    const ask = coalesce(async () => {
      templates = await loadTemplates(store.model.id);
      show();
    }, (error) => {
      if (templates.length === 0) fill(list, make("ul", {}, loadFailure(error, ask)));
    });
    ask();
    return { close: listen("model", ask) };
  },
};

function group([title, templates]) {
  if (templates.length === 0) return null;
  return make("section", { class: "template-group" },
    make("h2", { text: title }),
    make("ul", { class: "template-grid" }, templates.map((template) => make("li", {},
      make("a", {
        class: "card template", href: traceAddress(template.id),
        data: { key: `${title} ${template.id}` },
      },
        templatePicture(template),
        make("span", { class: "template-name" },
          decorativeEmoji(template.label), " ", template.name))))));
}
