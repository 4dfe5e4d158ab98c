// Settings (D-005): theme, pen, and where the drawings are stored.

import { api } from "./api.js";
import { ModelChoice } from "./browser-model.js";
import { button, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { openInvitation } from "./invitation.js";
import { icon } from "./icons.js";
import { nodesOfColumns, outline } from "./ink-trace.js";
import { areGuessesShown, showGuesses } from "./live-guesses.js";
import { changeSettings, store } from "./store.js";
import { showError } from "./toasts.js";

const themes = [
  ["system", "System", "system"], ["light", "Light", "sun"], ["dark", "Dark", "moon"],
];

/** A stroke that shows the pen's width. */
const wave = [[], [], []];
for (let step = 0; step <= 40; step += 1) {
  wave[0].push(12 + step * 6.4);
  wave[1].push(34 + Math.sin(step / 4.2) * 17);
  wave[2].push(step * 16);
}

export function openSettings() {
  const keep = (changes) => changeSettings(changes).catch((error) => showError(error));
  const pictured = make("svg:path", { d: "" });
  const showPen = (size) => pictured.setAttribute("d", outline(nodesOfColumns(wave, size)));
  const size = Math.round(store.settings.penSize ?? 6);
  const value = make("output", { class: "soft", for: "pen-size", text: `${size} px` });
  const privacy = "Everything stays on this computer and works without a network. "
    + "Nothing is sent anywhere unless you allowed it at the start.";
  showPen(size);
  openDialog({
    title: "Settings",
    kind: "is-small",
    body: [
      make("fieldset", { class: "field" }, make("legend", { text: "Theme" }),
        make("div", { class: "choices" },
          themes.map(([theme, words, drawing]) => make("label", { class: "choice" },
            make("input", {
              type: "radio", name: "theme", value: theme, checked: store.settings.theme === theme,
              onchange: () => keep({ theme }),
            }),
            make("span", { class: "choice-face" }, icon(drawing), words))))),
      make("div", { class: "field" },
        make("label", { for: "pen-size" }, "Pen"), " ", value,
        make("input", {
          class: "range", type: "range", id: "pen-size", min: "2", max: "18", step: "1",
          value: String(size),
          oninput: (event) => {
            showPen(Number(event.target.value));
            value.textContent = `${event.target.value} px`;
          },
          onchange: (event) => keep({ penSize: Number(event.target.value) }),
        }),
        make("svg:svg", { class: "pen-preview", viewBox: "0 0 280 68", "aria-hidden": "true" },
          pictured)),
      new ModelChoice("settings-model").element,
      make("div", { class: "field" },
        make("label", { class: "check" },
          make("input", {
            type: "checkbox", checked: areGuessesShown(),
            onchange: (event) => showGuesses(event.target.checked),
          }), "Guesses while you draw")),
      !store.isGuest && make("div", { class: "field" },
        make("label", { class: "check" },
          make("input", {
            type: "checkbox", checked: store.settings.drawsWithFinger ?? true,
            onchange: ({ target }) => keep({ drawsWithFinger: target.checked }),
          }), "Fingers draw on the art sheet"),
        make("p", { class: "soft", text: "Turn it off to draw with a pen alone." })),
      !store.isGuest && daily("tracingLimit", 0, "Tracing limit",
        "How many shapes may be traced per day; 0 for no limit.", keep),
      !store.isGuest && daily("picturesADay", 5, "Pictures by an image model",
        "How many may be asked for per day; 0 for no limit.", keep),
      !store.isGuest && make("div", { class: "field" },
        make("p", { class: "field-label", text: "A class" }),
        button("is-quiet", "Invite a class", openInvitation, { "aria-haspopup": "dialog" })),
      !store.isGuest && make("div", { class: "field" },
        make("p", { class: "field-label", text: "Your drawings" }),
        make("p", { class: "soft", text: privacy }),
        make("a", { class: "button is-quiet", href: api.exportAddress(), download: "" },
          icon("export"), "Export everything")),
      make("p", { class: "version soft" }, `DrawML ${store.version}. Licenses of its `,
        make("a", { href: "/license-typeface.txt", text: "typeface" }), " and its ",
        make("a", { href: "/license-unicode.txt", text: "emoji names" }), "."),
    ],
  });
}

/** A field for how often something may be done per day. */
function daily(setting, usual, name, words, keep) {
  return make("div", { class: "field" },
    make("label", { for: setting, text: name }),
    make("input", {
      class: "input", type: "number", id: setting, min: "0", max: "1000", step: "1",
      value: String(store.settings[setting] ?? usual), "aria-describedby": `${setting}-words`,
      onchange: ({ target }) => {
        const limit = Math.round(Math.min(1000, Math.max(0, Number(target.value) || 0)));
        target.value = String(limit);
        keep({ [setting]: limit });
      },
    }),
    make("p", { class: "soft", id: `${setting}-words`, text: words }));
}
