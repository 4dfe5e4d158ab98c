// Asks for things anew without asking twice at once: news that come while an answer is under way lead to one more question.

import { make } from "./dom.js";

/** Wraps an asynchronous question; calls while it runs become one more run behind it. `onfail` gets what went wrong. */
export function whenQuiet(question, onfail = () => {}) {
  let isRunning = false;
  let isWanted = false;
  return async function run() {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    try {
      do {
        isWanted = false;
        await question();
      } while (isWanted);
    } catch (error) {
      onfail(error);
    } finally {
      isRunning = false;
    }
  };
}

/** What stands in a list that could not be asked for. */
export function absent(error, again) {
  return make("li", { class: "none" },
    make("p", { text: error.message }),
    make("button", { class: "button", type: "button", text: "Try again", onclick: again }));
}
