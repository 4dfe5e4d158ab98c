// The entry point: the shell around the screens, and what all of them need.

import { artScreen } from "./screen-art.js";
import { captureScreen } from "./screen-capture.js";
import { button, emoji, fill, make, roundButton } from "./dom.js";
import { listenToServer } from "./events.js";
import { helpScreen } from "./screen-help.js";
import { homeScreen } from "./screen-home.js";
import { icon, wordmark } from "./icons.js";
import { labelsScreen } from "./screen-labels.js";
import { modelsScreen } from "./screen-models.js";
import { offerTips } from "./onboarding.js";
import { PlaygroundLink } from "./playground-link.js";
import { playgroundScreen } from "./screen-playground.js";
import { go, startRouter } from "./router.js";
import { openSettings } from "./settings.js";
import { canTeach, listen, load, modelTitle, store } from "./store.js";
import { leaveScreen, showError, toast } from "./toasts.js";
import { trainScreen } from "./screen-train.js";
import { templatesScreen } from "./screen-templates.js";
import { followTraining } from "./training.js";
import { coalesce } from "./refresh.js";

const main = document.getElementById("main");
const bar = document.getElementById("bar");

const screens = {
  home: homeScreen,
  train: trainScreen,
  playground: playgroundScreen,
  labels: labelsScreen,
  templates: templatesScreen,
  capture: captureScreen,
  art: artScreen,
  models: modelsScreen,
  help: helpScreen,
};

/** Ends what the open screen listens to. */
let closing = null;

/** Replaces the open screen by another. */
function show(name, screen, words, isFirst) {
  const isOwners = name === "capture" || name === "art";
  if (name === "train" && !canTeach() || isOwners && store.isGuest) {
    go("playground");
    return;
  }
  closing?.abort();
  closing = new AbortController();
  // A dialog belongs to the screen that opened it.
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
  screen.open(host, words, closing.signal);
  const heading = host.querySelector("h1");
  heading.setAttribute("tabindex", "-1");
  // Screen readers continue at the start of the new screen.
  if (!isFirst) heading.focus({ preventScroll: true });
}

function link(name, words, drawing) {
  return make("a", { class: "tab", href: `#${name}`, data: { goes: name } },
    icon(drawing), make("span", { text: words }));
}

function buildShell() {
  const train = link("train", "Train", "train");
  const chip = make("a", { class: "model-chip", href: "#models", data: { goes: "models" } });
  fill(bar,
    make("a", { class: "brand", href: "#home", "aria-label": "DrawML, home" }, wordmark()),
    make("nav", { class: "tabs", "aria-label": "Screens" },
      link("home", "Home", "home"),
      train,
      link("playground", "Playground", "play"),
      link("templates", "Trace", "trace"),
      link("labels", "Labels", "labels"),
      link("models", "Models", "models")),
    make("div", { class: "bar-end" }, chip,
      make("div", { class: "bar-tools" },
        make("a", {
          class: "round-button", href: "#help", "aria-label": "Help", data: { goes: "help" },
        }, icon("help")),
        roundButton(icon("settings"), "Settings", openSettings))));
  const showModel = (model) => {
    if (!model) return;
    fill(chip,
      make("span", { class: "model-dot", "aria-hidden": "true" }),
      make("span", { class: "unseen", text: `${modelTitle()}: ` }),
      make("span", { class: "model-name", text: model.name }));
  };
  listen("model", showModel);
  showModel(store.model);
  const showRights = () => {
    train.hidden = !canTeach();
    train.querySelector("span").textContent = store.isGuest ? "Teach" : "Train";
  };
  for (const kind of ["model", "settings"]) listen(kind, showRights);
}

/** Tells a guest when the owner lets them teach, and when no more. */
function followRights() {
  let could = canTeach();
  listen("settings", () => {
    if (canTeach() === could) return;
    could = canTeach();
    const { name } = store.model;
    if (could) toast(`You can teach “${name}” now.`, { kind: "good", topic: "teach" });
    else toast(`“${name}” takes no drawings from guests now.`, { topic: "teach" });
    if (!could && document.body.dataset.screen === "train") go("playground");
  });
}

/** Reloads what another tab or program changed, one request at a time. */
function followChanges() {
  const reload = coalesce(load);
  listen("changed", ({ what }) => {
    if (["models", "labels", "samples", "settings", "templates"].includes(what)) reload();
  });
  listen("problem", ({ error }) => showError(error));
  listen("connection", ({ isOpen, wasLost }) => {
    // Events between two streams are missed, and that of a deleted model's playground never opens
    // again.
    reload();
    if (isOpen && wasLost) toast("The studio is back.", { kind: "good", isAside: true });
  });
  for (const kind of ["trained", "training-failed"]) listen(kind, reload);
}

async function start() {
  // A token in the address is a cookie by now; it should not stay visible or in the history.
  if (new URLSearchParams(location.search).has("token")) {
    history.replaceState(null, "", `${location.pathname}${location.hash}`);
  }
  buildShell();
  listen("model-gone", ({ name }) => {
    toast("This browser’s model was deleted.", {
      detail: `It now uses the shared one: “${name}”.`,
    });
  });
  try {
    await load();
  } catch (error) {
    fill(main, make("section", { class: "screen lost" },
      emoji("🖍️", { "aria-hidden": "true" }),
      make("h1", { text: "The studio is not running" }),
      make("p", { text: "Start it with “drawml studio”, then try again." }),
      button("is-primary", "Try again", () => location.reload())));
    showError(error);
    return;
  }
  followChanges();
  followRights();
  followTraining();
  listenToServer();
  startRouter(screens, show);
  PlaygroundLink.wakeAll();
  document.body.dataset.ready = "true";
  if (!store.isGuest) offerTips();
}

start();
