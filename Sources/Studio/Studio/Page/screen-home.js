// Home (S-001): the ways into the app, and which model is active.

import { count, decorativeEmoji, fill, make, when } from "./dom.js";
import { factsOf, playNow } from "./everyday.js";
import { doodle, icon, wordmark } from "./icons.js";
import { canTeach, listen, modelTitle, store } from "./store.js";

const doors = [
  ["train", "Train", "Draw shapes and teach them"],
  ["playground", "Playground", "Draw, and see them become emojis"],
  ["templates", "Trace", "Draw over a shape, and teach it"],
  ["capture", "Paper", "Photos become drawings, or text"],
  ["art", "Art", "Sketches become pictures"],
  ["models", "Models", "Make, switch and share models"],
  ["help", "Help", "How it works, and why"],
];

/** What may be drawn first. */
const playFaces = ["🐱", "🏠", "🍕"];

/** What a guest may do. */
function guestDoors() {
  return [
    ...(canTeach() ? [["train", "Teach", "Draw shapes that the class’s model learns"]] : []),
    doors[1], doors[2], ["models", "Models", "Choose the model to play with"], doors.at(-1),
  ];
}

export const homeScreen = {
  title: "Home",

  open(host, words, signal) {
    const list = make("ul", { class: "doors" });
    const model = make("section", { class: "home-model", "aria-label": "Active model" });
    fill(host,
      make("div", { class: "home" },
        make("div", { class: "home-intro" },
          make("header", { class: "home-head" },
            make("h1", { class: "home-title" },
              make("span", { class: "unseen", text: "DrawML" }), wordmark()),
            make("p", {
              class: "home-lead",
              text: store.isGuest ? "Draw a shape, and see it become an emoji."
                : "Draw a shape. Give it an emoji. Teach your own model to see it.",
            })),
          playButton()),
        list, model));
    host.querySelector(".home-title svg").setAttribute("aria-hidden", "true");
    const show = () => {
      fill(model, modelWords(store.model));
      fill(list, (store.isGuest ? guestDoors() : doors).map(door));
    };
    show();
    for (const kind of ["model", "settings"]) listen(kind, show, signal);
  },
};

/** The first way in: nothing has to be taught before one plays. */
function playButton() {
  return make("button", {
    class: "play-now", type: "button", data: { key: "play now" },
    onclick: async ({ currentTarget }) => {
      if (currentTarget.getAttribute("aria-busy") === "true") return;
      currentTarget.setAttribute("aria-busy", "true");
      await playNow();
      currentTarget.removeAttribute("aria-busy");
    },
  },
    icon("play"),
    make("span", { class: "play-now-words" },
      make("span", { class: "play-now-title", text: "Play now" }),
      make("span", { class: "play-now-lead", text: "Draw everyday things" })),
    make("span", { class: "play-now-faces", "aria-hidden": "true" },
      playFaces.map((face) => decorativeEmoji(face))));
}

function door([name, title, words]) {
  return make("li", {},
    make("a", { class: `door door-${name}`, href: `#${name}`, data: { key: `door ${name}` } },
      doodle(name),
      make("span", { class: "door-words" },
        make("span", { class: "door-title", text: title }),
        make("span", { class: "door-lead", text: words }))));
}

function modelWords(model) {
  if (!model) return [];
  const facts = [
    ...factsOf(model), count(model.labelCount, "emoji"), count(model.sampleCount, "drawing"),
  ];
  if (model.untrainedCount > 0) facts.push(`${model.untrainedCount} to learn`);
  facts.push(model.lastTrained ? `learned ${when(model.lastTrained)}` : "not trained yet");
  return [
    make("div", { class: "home-model-words" },
      make("p", { class: "home-model-lead", text: modelTitle() }),
      make("p", { class: "home-model-name", text: model.name }),
      make("p", { class: "soft", text: facts.join(" · ") })),
    make("div", { class: "home-model-links" },
      model.sampleCount > 0 || model.labelCount > 0
        ? make("a", { class: "button is-quiet", href: "#labels", text: "Labels" })
        : canTeach()
          && make("a", { class: "button is-primary", href: "#train", text: "Draw the first one" }),
      model.untrainedCount > 0 && !store.isGuest
        && make("a", { class: "button is-primary", href: "#train", text: "Learn them" })),
  ];
}
