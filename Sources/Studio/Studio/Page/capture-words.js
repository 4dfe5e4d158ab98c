// Words on paper (CA-040 to CA-042): the text of a page, drafts of a post about it, and the history
// of those that were used.

import { api } from "./api.js";
import { askConfirmation } from "./dialogs.js";
import { button, fill, make, roundButton, when } from "./dom.js";
import { icon } from "./icons.js";
import { keep, keptText } from "./kept.js";
import { coalesce, loadFailure } from "./refresh.js";
import { go } from "./router.js";
import { showError, speak, toast } from "./toasts.js";

const consentKey = "drawml.drafts";

/** What was read and drafted; it outlives the screen. */
const page = { excerpt: null, before: null, hasPage: true, drafts: null, book: "", author: "" };

export class WordsTab {
  kind = "words";
  cameraWords = "Scan Text";
  lead = "Take a photo of a page: its text can be copied, and drafts of a post made of it.";

  constructor() {
    this.result = make("div");
    this.drafts = make("div", { class: "drafts", "aria-live": "polite" });
    this.history = make("div");
    this.element = make("div", { class: "paper-words" }, this.result, this.drafts, this.history);
    this.ask = coalesce(async () => {
      this.state = await api.capture();
      this.showHistory();
    }, (error) => fill(this.history, make("ul", {}, loadFailure(error, this.ask))));
    this.ask();
    this.show();
  }

  async read(file) {
    const { excerpt, hasPage } = await api.captureWords(file);
    Object.assign(page, { before: page.excerpt, excerpt, hasPage, drafts: null });
    this.show();
    speak("The text is read.");
    this.text.focus();
  }

  show() {
    const { excerpt, before, hasPage } = page;
    this.showDrafts();
    if (!excerpt) return fill(this.result);
    this.text = make("textarea", {
      class: "input paper-text", "aria-label": "The text", spellcheck: "true",
      oninput: () => {
        excerpt.text = this.text.value;
      },
    });
    this.text.value = excerpt.text;
    const field = (name, words) => make("input", {
      class: "input", value: page[name], placeholder: words, "aria-label": words,
      autocomplete: "off", oninput: ({ currentTarget }) => {
        page[name] = currentTarget.value;
      },
    });
    const unsure = (excerpt.confidence ?? 1) < 0.8 || !hasPage;
    return fill(this.result, make("section", { class: "card paper-result" },
      unsure && make("p", {
        class: "soft",
        text: hasPage ? "Some words were hard to read: please check them."
          : "No edges of a page were seen, so all of the photo was read.",
      }),
      make("div", { class: `paper-texts${before ? " has-two" : ""}` }, this.text,
        before && make("details", { class: "paper-before", open: true },
          make("summary", { text: "The text before" }), make("p", { text: before.text }))),
      make("div", { class: "paper-source" },
        field("book", "Book, if you like"), field("author", "Author, if you like")),
      make("div", { class: "paper-buttons" },
        button("is-primary", [icon("play"), "Generate Posts"], () => this.generate()),
        button("", "Copy", () => copy(this.text.value, this.text)),
        button("", "Scan New", () => this.element.parentElement
          .querySelector(".paper-buttons .button").click()),
        button("is-quiet", "Home", () => go("home")))));
  }

  /** Asks for drafts; before a text leaves this computer for the first time, it is shown. */
  async generate() {
    const { excerpt } = page;
    if (this.isBusy || !excerpt.text.trim()) return;
    const { model, instructions } = this.state ?? (await api.capture());
    if (model && keptText(consentKey) !== model.server) {
      const isSure = await askConfirmation({
        title: "Send this text?",
        body: [
          `It goes to ${model.server}, to the model ${model.name}:`,
          `“${excerpt.text.length > 600 ? `${excerpt.text.slice(0, 600)} …` : excerpt.text}”`,
          `With it: the book and the author, if you name them, and how to write: ${instructions}`,
        ],
        yes: "Send it", no: "Don’t send",
      });
      if (!isSure) return;
      keep(consentKey, model.server);
    }
    this.isBusy = true;
    fill(this.drafts, make("p", { text: "Five drafts are being written …" }),
      make("progress", { class: "progress", "aria-label": "Drafts are being written" }));
    try {
      page.drafts = await api.drafts({
        text: excerpt.text, bookTitle: page.book || undefined, author: page.author || undefined,
      });
    } catch (error) {
      const isAgain = error.code === "tryAgain" || error.status === 0;
      showError(error, undefined, isAgain
        ? { action: "Retry", seconds: 20, onaction: () => this.generate() } : {});
    }
    this.isBusy = false;
    this.showDrafts();
  }

  showDrafts() {
    const { drafts } = page;
    if (!drafts) return fill(this.drafts);
    const note = drafts.isExample && make("p", { class: "paper-example" },
      make("strong", { text: "These are examples, not written by a model. " }), this.state?.reason);
    return fill(this.drafts, make("h2", { text: "Drafts" }), note,
      make("ul", { class: "draft-cards" }, drafts.variants.map((variant) =>
        make("li", { class: "card draft" },
          make("h3", { class: "tag", text: toneName(variant.tone) }),
          make("p", { class: "draft-text", text: variant.text }),
          variant.note && make("p", { class: "soft", text: variant.note }),
          make("div", { class: "paper-buttons" },
            button("", "Copy", ({ currentTarget }) => this.use(variant, async () =>
              copy(variant.text, currentTarget.closest("li").querySelector(".draft-text"))), {
              "aria-label": `Copy: ${toneName(variant.tone)}`,
            }),
            navigator.share && button("", "Share", () => this.use(variant, async () => {
              await navigator.share({ text: variant.text });
              toast("Shared.", { kind: "good" });
              return true;
            }), { "aria-label": `Share: ${toneName(variant.tone)}` }))))));
  }

  /** Copies or shares a draft, and keeps it in the history. */
  async use(variant, how) {
    try {
      if (!(await how())) return;
      await api.keepDraft({ excerpt: page.excerpt, variant });
      this.ask();
    } catch (error) {
      // Whoever closes the sharing sheet has changed their mind.
      if (error.name !== "AbortError") showError(error);
    }
  }

  showHistory() {
    const { history, brokenHistory } = this.state;
    if (brokenHistory) {
      toast("The history could not be read.", {
        kind: "bad", detail: `It is set aside as ${brokenHistory} in the workspace’s folder.`,
      });
    }
    fill(this.history, history.length > 0 && make("section", { class: "card paper-history" },
      make("h2", { text: "Used drafts" }),
      make("ul", {}, history.map(({ id, variant, postedAt }) => make("li", {},
        make("p", {}, make("strong", { text: `${toneName(variant.tone)}, ${when(postedAt)}: ` }),
          variant.text),
        roundButton(icon("delete"), "Delete from the history", async () => {
          try {
            await api.forgetDraft(id);
            this.ask();
          } catch (error) {
            showError(error);
          }
        }, { data: { key: `forget ${id}` } }))))));
  }
}

function toneName(tone) {
  return tone === "openQuestion" ? "Open question" : tone[0].toUpperCase() + tone.slice(1);
}

/** Copies a text; where the browser lets no page do that, selects it in `shown`. */
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.", { kind: "good" });
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    if (shown.select) shown.select();
    toast("Press Ctrl+C to copy what is marked.");
    return false;
  }
}
