// The page begins here: the shell around the screens, and what all of them need.

import { emoji, fill, make } from "./dom.js";
import { listenToServer } from "./events.js";
import { helpScreen } from "./screen-help.js";
import { homeScreen } from "./screen-home.js";
import { icon, wordmark } from "./icons.js";
import { labelsScreen } from "./screen-labels.js";
import { modelsScreen } from "./screen-models.js";
import { offerTips } from "./onboarding.js";
import { PlaygroundLink } from "./playground-link.js";
import { playgroundScreen } from "./screen-playground.js";
import { startRouter } from "./router.js";
import { openSettings } from "./settings.js";
import { listen, load, store } from "./store.js";
import { complain, leaveScreen, toast } from "./toasts.js";
import { trainScreen } from "./screen-train.js";
import { followTraining } from "./training.js";
import { whenQuiet } from "./refresh.js";

const main = document.getElementById("main");
const bar = document.getElementById("bar");

const screens = {
  home: homeScreen,
  train: trainScreen,
  playground: playgroundScreen,
  labels: labelsScreen,
  models: modelsScreen,
  help: helpScreen,
};

let open = null;

/** Puts a screen in the place of the one before. */
function show(name, screen, words, isFirst) {
  open?.close?.();
  open = null;
  // A question belongs to the screen that asked it.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (!isFirst) leaveScreen();
  document.title = name === "home" ? "DrawML" : `${screen.title} – DrawML`;
  document.body.dataset.screen = name;
  for (const link of document.querySelectorAll("[data-goes]")) {
    if (link.dataset.goes === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const host = make("div", { class: `screen screen-${name}` });
  fill(main, host);
  scrollTo({ top: 0, behavior: "instant" });
  open = screen.open(host, words) ?? null;
  const heading = host.querySelector("h1");
  heading.setAttribute("tabindex", "-1");
  // Screen readers go on where the new screen begins.
  if (!isFirst) heading.focus({ preventScroll: true });
}

function link(name, words, drawing) {
  return make("a", { class: "tab", href: `#${name}`, data: { goes: name } }, icon(drawing), make("span", { text: words }));
}

function buildShell() {
  const chip = make("a", { class: "model-chip", href: "#models", data: { goes: "models" } });
  fill(bar,
    make("a", { class: "brand", href: "#home", "aria-label": "DrawML, home" }, wordmark()),
    make("nav", { class: "tabs", "aria-label": "Screens" },
      link("home", "Home", "home"),
      link("train", "Train", "train"),
      link("playground", "Playground", "play"),
      link("labels", "Labels", "labels"),
      link("models", "Models", "models")),
    make("div", { class: "bar-end" }, chip,
      make("div", { class: "bar-tools" },
        make("a", { class: "round-button", href: "#help", "aria-label": "Help", data: { goes: "help" } }, icon("help")),
        make("button", { class: "round-button", type: "button", "aria-label": "Settings", onclick: openSettings }, icon("settings")))));
  const showModel = (model) => {
    if (!model) return;
    fill(chip, make("span", { class: "model-dot", "aria-hidden": "true" }), make("span", { class: "unseen", text: "Active model: " }), make("span", { class: "model-name", text: model.name }));
  };
  listen("model", showModel);
  showModel(store.model);
}

/** What another tab or program changed: ask again, at most one question at a time. */
function followChanges() {
  const reload = whenQuiet(load);
  listen("changed", ({ what }) => {
    if (["models", "labels", "samples", "settings"].includes(what)) reload();
  });
  listen("problem", ({ error }) => complain(error));
  listen("connection", ({ isOpen, wasLost }) => {
    if (!isOpen) return;
    // Between two streams things happen, too.
    reload();
    if (wasLost) toast("The studio is back.", { kind: "good" });
  });
  for (const kind of ["trained", "training-failed"]) listen(kind, reload);
}

async function start() {
  // A token in the address has become a cookie by now; it should not be seen over a shoulder or kept in a history.
  if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", `${location.pathname}${location.hash}`);
  buildShell();
  try {
    await load();
  } catch (error) {
    fill(main, make("section", { class: "screen lost" },
      emoji("🖍️", { "aria-hidden": "true" }),
      make("h1", { text: "The studio is not there" }),
      make("p", { text: "Start it again with “drawml studio”, then try once more." }),
      make("button", { class: "button is-primary", type: "button", text: "Try again", onclick: () => location.reload() })));
    complain(error);
    return;
  }
  followChanges();
  followTraining();
  listenToServer();
  startRouter(screens, show);
  PlaygroundLink.wakeAll();
  document.body.dataset.ready = "true";
  offerTips();
}

start();
