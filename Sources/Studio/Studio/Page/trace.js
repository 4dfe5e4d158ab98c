// The page for tracing, a document of its own because it may use the camera: the drawing, and the
// paper that a template is traced on. The addresses are /trace#under/<template>, …#above/…,
// …#choose/….

import { button, fill, make } from "./dom.js";
import { listenToServer } from "./events.js";
import { icon } from "./icons.js";
import { coalesce } from "./refresh.js";
import { startRouter } from "./router.js";
import { listen, load, store } from "./store.js";
import { loadTemplates, templatePicture, traceAddress } from "./templates.js";
import { showError } from "./toasts.js";
import { draftedModel, gallery, traceHead, TraceScreen } from "./trace-screen.js";

const main = document.getElementById("main");
// Of the model that was in use when the page was opened, or for which the drawing that a reload
// keeps was begun.
let model = "";
let templates = [];
/** Ends what the open step listens to. */
let closing = null;

function choose(template) {
  const way = (mode, drawing, title, words, isOpen = true) => make("li", {},
    make(isOpen ? "a" : "div", {
      class: `card trace-way${isOpen ? "" : " is-closed"}`,
      href: isOpen && traceAddress(template.id, mode),
    }, icon(drawing), make("h2", { text: title }), make("p", { class: "soft", text: words })));
  fill(main, make("div", { class: "screen" }, traceHead(traceAddress(template.id), template),
    make("div", { class: "trace-choice" }, templatePicture(template, template.name),
      make("ul", { class: "trace-ways" },
        way("under", "sun", "Under paper", "Lay paper on the screen, which shines through it, "
          + "or draw right here. A page cannot set the screen’s light: turn it up yourself."),
        way("above", "camera", "Above paper", store.hasCamera
          ? "The camera looks at your paper, and the template lies over its picture."
          : "With the camera’s picture: start the studio with “drawml studio --camera”.",
        store.hasCamera)))));
}

function lost() {
  fill(main, make("div", { class: "screen lost" },
    make("h1", { text: "This template was deleted", tabindex: "-1" }),
    make("a", { class: "button is-primary", href: gallery, text: "Pick another template" })));
}

/** A screen for a template. `isFirst`: the page opened with it; `signal` ends it. */
function screen(show) {
  return { open: ([id], isFirst, signal) => {
    const template = templates.find((each) => each.id === id);
    if (template) show(template, { isFirst, signal });
    else lost();
  } };
}

async function loadModel(id) {
  try {
    templates = await loadTemplates(id);
    model = id;
  } catch (error) {
    // The drawing's model was deleted.
    if (error.status !== 404 || id === store.model.id) throw error;
    await loadModel(store.model.id);
  }
}

async function start() {
  try {
    await load();
    await loadModel(draftedModel(location.hash) ?? store.model.id);
  } catch (error) {
    fill(main, make("div", { class: "screen lost" },
      make("h1", { text: "The studio is not running" }),
      button("is-primary", "Try again", () => location.reload())));
    showError(error);
    return;
  }
  const draw = (mode) => screen((template, { isFirst, signal }) => {
    if (mode === "underPaper" || store.hasCamera) {
      new TraceScreen(main, template, { mode, model, isPressed: !isFirst, signal });
    } else location.replace(traceAddress(template.id, "choose"));
  });
  // A guest's right to teach comes and goes.
  const reload = coalesce(load);
  listen("changed", ({ what }) => {
    if (what === "settings" || what === "models") reload();
  });
  // Events between two streams are missed.
  listen("connection", reload);
  listenToServer();
  startRouter({
    home: { open: () => location.replace(gallery) },
    choose: screen(choose), under: draw("underPaper"), above: draw("abovePaper"),
  }, (name, { open: show }, words, isFirst) => {
    closing?.abort();
    closing = new AbortController();
    document.body.dataset.step = name;
    show(words, isFirst, closing.signal);
    main.querySelector("h1")?.focus({ preventScroll: true });
  });
  document.body.dataset.ready = "true";
}

start();
