// Help (S-006): how DrawML works, the network's input, and the dial for the refusal rate.

import { CertaintyDial } from "./certainty.js";
import { ExplainBox } from "./explain.js";
import { button, fill, make } from "./dom.js";
import { store } from "./store.js";
import { showTips, stepPicture, steps } from "./onboarding.js";

const questions = [
  ["How many drawings does an emoji need?", "Two are a start, five are good, twenty are plenty. "
    + "Draw them a little differently each time, as you would on another day."],
  ["Why does my drawing shake?", "It looks like nothing the model was taught, "
    + "or like two emojis at once. Draw it again with a simpler outline, "
    + "or add it as a new sample in Train."],
  ["Why did something get worse?", "Two emojis may look alike now. "
    + "Open “Easily mistaken” after training, and delete or relabel the drawing that misleads."],
  ["How do I show it to a class?", "“Project” in the Playground, or F9, leaves only the sheet, the "
    + "emojis and the last guess. Escape or the button in the corner ends it. "
    + "Invite the class in Settings: each browser has its own sheet."],
  ["Can people draw on paper?", "Yes. “Paper” on Home prints worksheets, and makes drawings of "
    + "photos of them: each box becomes one, with its label."],
  ["Where are my drawings?", "In a folder on this computer. Nothing leaves it. "
    + "Models can be exported to one file and imported elsewhere."],
  ["Can I use it without a mouse?", "Everything but drawing itself works with the keyboard: "
    + "Tab moves on, Enter presses, arrows move through the emojis, Ctrl+Z undoes."],
];

/** Guests do not see questions about the owner's actions, or about where drawings are stored. */
const guestQuestions = [questions[0], questions[1], questions.at(-1)];

export const helpScreen = {
  title: "Help",

  open(host, words, signal) {
    const explain = new ExplainBox(signal);
    const certainty = store.isGuest ? null : new CertaintyDial(signal);
    fill(host,
      make("div", { class: "screen-head" },
        make("h1", { class: "screen-title is-seen", text: "Help" }),
        make("p", {
          class: "screen-lead",
          text: "You draw, you name, it learns. Four steps; repeat them as often as you like.",
        }),
        !store.isGuest && make("div", { class: "screen-tools" },
          button("is-quiet", "Show the tips again", showTips))),
      make("ol", { class: "steps" }, steps.map((step, index) => make("li", { class: "card step" },
        stepPicture(step),
        make("h2", { text: `${index + 1}. ${step.title}` }),
        make("p", { text: step.words })))),
      explain.element,
      certainty?.element,
      make("section", { class: "card questions", "aria-labelledby": "questions-title" },
        make("h2", { id: "questions-title", text: "Good to know" }),
        (store.isGuest ? guestQuestions : questions).map(([title, words]) => make("details", {},
          make("summary", { text: title }), make("p", { text: words })))));
    if (words[0] === "why") explain.element.scrollIntoView();
  },
};
