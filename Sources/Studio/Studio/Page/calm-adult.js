// The adult's sheet of Calm (CL-030, CL-031): which scene, which are offered, sound, what is known
// of the lock, and how to lock the device. With a passphrase it shows nothing before that.

import { api } from "./api.js";
import { makeInput, scenes, stepSeconds } from "./calm-scenes.js";
import { button, fill, make } from "./dom.js";
import { icon } from "./icons.js";
import { passphraseForm } from "./passphrase-form.js";

const main = document.getElementById("main");
const sheet = make("section", { class: "calm-sheet" });
const titles = {
  snow: "Snow globe", ripples: "Ripples", colors: "Colors", bubbles: "Bubbles",
  dust: "Magnetic dust", aurora: "Aurora", still: "Still", bloom: "Drawing",
};
let settings = null;
/** The model that Drawing asks. */
let model = null;
/** What the server gave for the passphrase; another page does not know it. */
let key;
/** Whether the grid chooses what is offered, instead of what is shown. */
let isChoosing = false;

const lock = () => location.replace("/calm");

function show(label, ...children) {
  const kept = document.activeElement?.dataset.key;
  sheet.setAttribute("aria-label", label);
  sheet.replaceChildren(...children);
  main.append(sheet);
  const focused = kept && main.querySelector(`[data-key="${kept}"]`);
  (focused || main.querySelector("[type=password]") || main.querySelector("h1")).focus();
}

const title = (text) => make("h1", { text, tabindex: "-1" });

// The passphrase.

function showPassphrase() {
  const enter = async (passphrase) => {
    ({ key } = await api.unlockCalm(passphrase));
    showSheet();
  };
  show("For adults", title("For adults"),
    passphraseForm(enter, button("is-quiet", "Back", lock), "calm-actions"));
}

// The sheet.

async function change(changes) {
  try {
    settings = await api.changeCalm({ key, ...changes });
    showSheet();
  } catch (error) {
    if (error.code === "locked") showPassphrase();
    else {
      showSheet();
      fill(main.querySelector(".calm-complaint"), error.message);
    }
  }
}

const pictures = new Map();

/** A picture of a scene as it looks after some seconds, with a finger on it. */
function pictureOf(name) {
  if (pictures.has(name)) return pictures.get(name);
  const [width, height] = [480, 360];
  const canvas = make("canvas", { width: "320", height: "240", "aria-hidden": "true" });
  const scene = scenes[name];
  const state = scene.make(4, width, height);
  const input = makeInput();
  const steps = name === "bloom" ? 100 : 300;
  for (let index = 0; index < steps; index += 1) {
    // A heart for the drawing, a slow bow for the others.
    const turn = (index / steps) * 2 * Math.PI;
    const heart = 13 * Math.cos(turn) - 5 * Math.cos(2 * turn) - 2 * Math.cos(3 * turn);
    const [x, y] = name === "bloom"
      ? [240 + 7 * 16 * Math.sin(turn) ** 3, 165 - 7 * heart]
      : [240 + 90 * Math.cos(turn / 2), 200 - 40 * Math.sin(turn)];
    input.pointers = name === "bubbles" ? [] : [{ id: 1, x, y, isNew: index === 0 }];
    scene.step(state, input, stepSeconds);
  }
  const context = canvas.getContext("2d");
  context.scale(320 / width, 240 / height);
  scene.draw(state, context);
  pictures.set(name, canvas);
  return canvas;
}

function tile(name) {
  const { scene, offered } = settings;
  const onchange = isChoosing
    ? ({ target: { checked } }) => change({
      offered: Object.keys(titles).filter((each) =>
        (each === name ? checked : offered.includes(each))),
    })
    : () => change({ scene: name });
  const control = make("input", {
    type: isChoosing ? "checkbox" : "radio", name: "scene", data: { key: name }, onchange,
    checked: isChoosing ? offered.includes(name) : scene === name,
    // What is shown is offered.
    disabled: isChoosing && scene === name,
  });
  return make("label", { class: "calm-scene" }, control, pictureOf(name),
    make("span", { class: "calm-tick", "aria-hidden": "true" }, tick()),
    make("span", { text: titles[name] }));
}

const tick = () => make("svg:svg", { class: "icon", viewBox: "0 0 24 24" },
  make("svg:path", { d: "M6 12.5l4 4 8-9" }));

/** What is known of the lock, by how the browser was started. */
const locked = {
  none: "not detectable: a page cannot tell", desktop: "yes, but for the desktop’s shortcuts",
  alone: "yes: the screen shows nothing else",
};

/** What a page can know about its window. */
function facts() {
  const isFull = document.fullscreenElement || matchMedia("(display-mode: fullscreen)").matches;
  const fact = (name, text) => [make("dt", { text: name }), make("dd", { text })];
  return make("dl", { class: "calm-facts" },
    fact("Full screen", isFull ? "yes" : "no; the first touch on the surface asks for it"),
    fact("Kiosk", settings.kiosk === "none" ? "not started with --kiosk" : "started with --kiosk"),
    fact("Locked", locked[settings.kiosk]),
    model.isEveryday || model.lastTrained ? []
      : fact("Drawing", "no emojis: the model in use knows no shapes. “Play now” in the studio "
        + "takes one that does."));
}

function showSheet() {
  const names = Object.keys(titles).filter((each) =>
    isChoosing || settings.offered.includes(each));
  const choose = button("is-quiet", isChoosing ? "Done" : "Choose offered", () => {
    isChoosing = !isChoosing;
    showSheet();
  }, { data: { key: "choose" } });
  const sound = make("input", {
    class: "calm-switch", type: "checkbox", role: "switch", id: "sound", data: { key: "sound" },
    checked: settings.isSoundOn,
    onchange: ({ target: { checked } }) => change({ isSoundOn: checked }),
  });
  show("Calm, for adults",
    make("div", { class: "calm-head" }, title("Calm"), choose),
    make("fieldset", { class: "calm-scenes" },
      make("legend", { class: "unseen", text: isChoosing ? "Offered scenes" : "Scene" }),
      names.map(tile)),
    make("p", { class: "field-complaint calm-complaint", role: "alert" }),
    make("div", { class: "calm-line" },
      make("label", { for: "sound", text: "Sound: soft tones when touched" }), sound),
    facts(),
    button("is-quiet", [icon("help"), "How to lock this device"], showHelp),
    button("is-ink", "Lock", lock, { data: { key: "lock" } }));
}

function showHelp() {
  const code = (text) => make("code", { text });
  const part = (heading, ...words) =>
    make("section", {}, make("h2", { text: heading }), make("p", {}, ...words));
  show("How to lock this device",
    make("div", { class: "calm-head" }, title("How to lock this device"),
      button("is-quiet", "Back", showSheet)),
    make("div", { class: "calm-help" },
      part("Chromium", code("drawml calm --kiosk"), " opens it so; by hand: ",
        code(`chromium --kiosk ${location.origin}/calm`), ". Alt+F4 ends it."),
      part("GNOME", "Install ", code("gnome-kiosk-script-session"), ", put ",
        code("drawml calm --kiosk"), " into ", code("~/.local/bin/gnome-kiosk-script"),
        ", and choose “Kiosk Script Session” when you log in."),
      part("iPhone and iPad", "Settings › Accessibility › Guided Access: turn it on and set a "
        + "passcode. Then press the side or Home button three times on this page, and Start."),
      part("Android", "Settings › Security › App pinning (or Screen pinning): turn it on, with "
        + "“Ask for PIN”. Then open the recent apps, tap the browser’s icon, and Pin."),
      part("What a page cannot stop", "The power button, Home and app gestures, Esc and F11, "
        + "Alt+Tab, Ctrl+W. The locks above stop most of them.")));
}

async function start() {
  try {
    [settings, { activeModel: model }] = await Promise.all([api.calm(), api.state()]);
    if (settings.hasPassphrase) showPassphrase();
    else showSheet();
  } catch (error) {
    show("Calm", title("Calm cannot be opened"), make("p", { text: error.message }),
      make("div", { class: "calm-actions" }, button("is-quiet", "Back", lock),
        button("is-primary", "Try again", () => location.reload())));
  }
  document.body.dataset.ready = "true";
}

start();
