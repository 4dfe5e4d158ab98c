// Requests and changes that reload the page's state, one at a time.

import { button, make } from "./dom.js";
import { load } from "./store.js";
import { showError } from "./toasts.js";

/** Wraps a request: calls while it runs lead to one more run after it. `onfail` gets its error. */
export function coalesce(question, onfail = () => {}) {
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

/**
 * Does a task that changes the server's state, and reloads that. Errors are shown. Resolves to
 * whether it worked.
 */
export async function change(task) {
  try {
    await task();
    await load();
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** The content of a list that could not be loaded. */
export function loadFailure(error, again) {
  return make("li", { class: "none" },
    make("p", { text: error.message }),
    button("", "Try again", again));
}
