// The choice of a style (TF-010), and the wait for the picture (TF-025).

import { sketchPicture } from "./art-sketch.js";
import { api } from "./api.js";
import { openDialog } from "./dialogs.js";
import { button, decorativeEmoji, fill, identifier, make, roundButton } from "./dom.js";
import { icon } from "./icons.js";
import { go } from "./router.js";
import { passphraseForm } from "./passphrase-form.js";
import { store } from "./store.js";
import { showError, speak } from "./toasts.js";

/** How long an adult holds the button, in milliseconds (CL-020). */
const holdMilliseconds = 6000;
/** How long each of the words below is shown, and when the last ones come, in milliseconds. */
const wordMilliseconds = 3500;
const longMilliseconds = 20000;
const waitingWords = [
  "Adding magic...", "Mixing colors...", "Almost there...", "Creating your masterpiece...",
];

/** What was chosen last; an adult's agreement means the model, and none this computer. */
const chosen = { style: null, agreement: null };

/**
 * Shows the styles.
 * @param {HTMLElement} host
 * @param {object} state What `api.art` answers.
 * @param {Sketch} sketch
 * @param {AbortSignal} signal
 */
export function openArtStyles(host, state, sketch, signal) {
  const stage = make("div", { class: "art-styles" });
  const isByModel = () => state.model !== null && chosen.agreement !== null;

  function showChoice(problem) {
    const start = button("is-primary art-go", "Go!", () => transform(), {
      disabled: chosen.style === null, data: { key: "go" },
    });
    fill(stage,
      make("div", { class: "art-choice" }, sketchPicture(sketch),
        problem && make("div", { class: "art-problem", role: "alert" },
          make("p", {}, make("strong", { text: problem.message })),
          problem.detail && make("details", {}, make("summary", { text: "For grown-ups" }),
            make("p", { class: "soft", text: problem.detail }))),
        makers()),
      make("div", { class: "art-cards", role: "radiogroup", "aria-label": "Style" },
        state.styles.map((style) => make("label", {
          class: "art-card", style: { "--card": style.color },
        },
          make("input", {
            type: "radio", name: "style", value: style.id, checked: chosen.style === style.id,
            onchange: () => {
              chosen.style = style.id;
              start.disabled = false;
            },
          }),
          decorativeEmoji(style.emoji, "art-card-emoji"),
          make("span", { class: "art-card-name", text: style.name }),
          make("span", {
            class: "art-card-words", text: isByModel() ? style.description : style.summary,
          })))),
      start);
  }

  /** Who makes the picture: this computer, or an image model once an adult agrees. */
  function makers() {
    if (!state.model) {
      return make("p", { class: "soft", text: "Made on this computer." });
    }
    const choice = (words, isChosen, choose) => make("label", { class: "choice" },
      make("input", {
        type: "radio", name: "maker", checked: isChosen, onchange: choose, data: { key: words },
      }),
      make("span", { class: "choice-face", text: words }));
    return make("fieldset", { class: "field" }, make("legend", { text: "Made by" }),
      make("div", { class: "choices" },
        choice("This computer", !isByModel(), () => {
          chosen.agreement = null;
          showChoice();
        }),
        choice(state.model.name, isByModel(), async () => {
          chosen.agreement = await askAdult(state);
          showChoice();
        })),
      state.leftToday !== null && isByModel() && make("p", {
        class: "soft", text: state.leftToday > 0
          ? `${state.leftToday} ${state.leftToday === 1 ? "try" : "tries"} left today.`
          : "That is all for today. This computer can make more.",
      }));
  }

  async function transform() {
    const style = state.styles.find(({ id }) => id === chosen.style);
    const body = { sketch: sketch.content, style: style.id, model: store.model.id };
    const waiting = isByModel() ? new Waiting(sketch, style) : null;
    if (waiting) fill(stage, waiting.element);
    else {
      fill(stage.querySelector(".art-go"), "One moment …");
      // Nothing else is pressed meanwhile.
      stage.inert = true;
    }
    const stop = () => waiting?.cancel();
    signal.addEventListener("abort", stop);
    addEventListener("pagehide", stop);
    let problem = null;
    try {
      const made = await (waiting
        ? api.paintSketch({ ...body, job: waiting.job, agreement: chosen.agreement })
        : api.filterSketch(body));
      // It was done before it was canceled.
      if (waiting?.isCanceled) await api.deleteArtwork(made.id);
      else if (!signal.aborted) {
        speak(`${style.name} is ready.`);
        go("art", "picture", made.id);
        return;
      }
    } catch (error) {
      if (!waiting?.isCanceled) problem = error;
      // The studio was restarted, or a passphrase was set.
      if (error.code === "notAgreed") chosen.agreement = null;
    } finally {
      waiting?.close();
      signal.removeEventListener("abort", stop);
      removeEventListener("pagehide", stop);
    }
    if (signal.aborted) return;
    if (waiting) state.leftToday = (await api.art().catch(() => state)).leftToday;
    stage.inert = false;
    showChoice(problem);
  }

  fill(host,
    make("div", { class: "screen-head" },
      make("h1", { class: "screen-title is-seen", text: "Pick a style" }),
      roundButton(icon("close"), "Back to the drawing", () => go("art"), {
        class: "round-button art-close",
      })),
    stage);
  showChoice();
}

/** What is shown while an image model works. */
class Waiting {
  job = identifier();
  isCanceled = false;

  constructor(sketch, style) {
    this.words = make("p", { class: "art-waiting-words", role: "status", text: waitingWords[0] });
    this.element = make("div", { class: "art-waiting" },
      make("div", { class: "art-sparkles" }, sketchPicture(sketch),
        [0, 1, 2, 3, 4].map((each) => make("span", {
          class: "art-sparkle", "aria-hidden": "true", text: "✦",
          style: { "--place": String(each) },
        }))),
      make("p", { class: "art-waiting-style", text: `Transforming into ${style.name}…` }),
      this.words,
      button("", "Cancel", () => this.cancel()));
    const began = Date.now();
    this.timer = setInterval(() => {
      const passed = Date.now() - began;
      const next = passed >= longMilliseconds ? "Taking a bit longer..."
        : waitingWords[Math.floor(passed / wordMilliseconds) % waitingWords.length];
      if (this.words.textContent !== next) this.words.textContent = next;
    }, 250);
  }

  cancel() {
    if (this.isCanceled) return;
    this.isCanceled = true;
    // It may have ended meanwhile.
    api.stopPainting(this.job).catch(() => {});
  }

  close() {
    clearInterval(this.timer);
  }
}

/**
 * Asks an adult whether sketches may be sent: a button that is held for six seconds, and then the
 * passphrase, if one is set. Resolves to the agreement, or null.
 */
async function askAdult({ model: { name, server }, hasPassphrase }) {
  let timer = 0;
  const release = () => {
    clearTimeout(timer);
    timer = 0;
    hold.classList.remove("is-held");
  };
  const press = (event) => {
    if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (timer !== 0) return;
    hold.classList.add("is-held");
    timer = setTimeout(() => dialog.close(true), holdMilliseconds);
  };
  const hold = button("is-ink art-hold", "Hold for six seconds", null, {
    onpointerdown: press, onpointerup: release, onpointercancel: release, onpointerleave: release,
    onkeydown: press, onkeyup: release, onblur: release,
    oncontextmenu: (event) => event.preventDefault(),
  });
  const dialog = openDialog({
    title: "Ask an adult", kind: "is-small",
    body: [
      make("p", {
        text: `Sketches would be sent to ${server}, where the model ${name} makes pictures of them.`,
      }),
      make("p", {
        text: "Only the sketch and the style’s words are sent: no name, and nothing else.",
      }),
    ],
    actions: [button("", "Not now", () => dialog.close(false)), hold],
    onclose: release,
  });
  if ((await dialog.closed) !== true) return null;
  if (hasPassphrase) return askPassphrase();
  try {
    return (await api.agreeToPainting()).agreement;
  } catch (error) {
    showError(error);
    return null;
  }
}

async function askPassphrase() {
  const enter = async (passphrase) => {
    const { agreement } = await api.agreeToPainting(passphrase);
    dialog.close(agreement);
  };
  const back = button("", "Not now", () => dialog.close());
  const dialog = openDialog({
    title: "For adults", kind: "is-small", body: [passphraseForm(enter, back, "dialog-actions")],
  });
  return (await dialog.closed) ?? null;
}
