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

export class WordsTab {
  isForSeveral = false;
  cameraWords = "Scan Text";
  lead = "Take a photo of a page: its text can be copied, and drafts of a post made of it.";
  /** What was read last, and what before that. */
  excerpt = null;
  before = null;
  hasPage = true;
  drafts = null;
  source = { book: "", author: "" };
  isBusy = false;

  constructor() {
    this.result = make("div");
    this.cards = make("div", { class: "drafts", "aria-live": "polite" });
    this.used = make("div");
    this.element = make("div", { class: "paper-words" }, this.result, this.cards, this.used);
    this.refresh = coalesce(async () => {
      this.state = await api.capture();
      this.showHistory();
    }, (error) => fill(this.used, make("ul", {}, loadFailure(error, this.refresh))));
  }

  async read(file) {
    const { excerpt, hasPage } = await api.captureWords(file);
    Object.assign(this, { before: this.excerpt, excerpt, hasPage, drafts: null });
    this.show();
    speak("The text is read.");
    this.text.focus();
  }

  show() {
    const { excerpt, before, hasPage, source } = this;
    this.showDrafts();
    this.text = make("textarea", {
      class: "input paper-text", "aria-label": "The text", spellcheck: "true",
      oninput: () => {
        excerpt.text = this.text.value;
      },
    });
    this.text.value = excerpt.text;
    const field = (name, words) => make("input", {
      class: "input", value: source[name], placeholder: words, "aria-label": words,
      autocomplete: "off", oninput: ({ currentTarget }) => {
        source[name] = currentTarget.value;
      },
    });
    const unsure = (excerpt.confidence ?? 1) < 0.8 || !hasPage;
    fill(this.result, make("section", { class: "card paper-result" },
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
        button("", "Scan New", () => this.takePhoto()),
        button("is-quiet", "Home", () => go("home")))));
  }

  /** Asks for drafts. Before a text leaves this computer for a server, that is agreed to once. */
  async generate() {
    const { excerpt, source } = this;
    if (this.isBusy) return;
    if (!excerpt.text.trim()) {
      toast("There is no text to write about.");
      return;
    }
    this.isBusy = true;
    try {
      this.state = await api.capture();
      const { model } = this.state;
      if (model && !(await this.mayAsk(model, excerpt))) return;
      fill(this.cards, make("p", { text: "Five drafts are being written …" }),
        make("progress", { class: "progress", "aria-label": "Drafts are being written" }));
      const drafts = await api.drafts({
        text: excerpt.text, bookTitle: source.book || undefined,
        author: source.author || undefined, server: model?.server,
      });
      // Meanwhile another page may have been read.
      if (this.excerpt === excerpt) this.drafts = drafts;
    } catch (error) {
      const isAgain = error.code === "tryAgain" || error.status === 0;
      showError(error, undefined, isAgain
        ? { action: "Retry", seconds: 20, onaction: () => this.generate() } : {});
    } finally {
      this.isBusy = false;
      this.showDrafts();
    }
  }

  /** Whether a text may be sent to a model's server; asked once for each server. */
  async mayAsk({ name, server }, { text }) {
    if (keptText(consentKey) === server) return true;
    const isSure = await askConfirmation({
      title: "Send this text?",
      body: [
        `It goes to ${server}, to the model ${name}:`, `“${text}”`,
        "With it: the book and the author, if you name them, and how to write: "
          + this.state.instructions,
      ],
      yes: "Send it", no: "Don’t send",
    });
    if (isSure) keep(consentKey, server);
    return isSure;
  }

  showDrafts() {
    const { drafts } = this;
    if (!drafts) return fill(this.cards);
    const note = drafts.isExample && make("p", { class: "paper-example" },
      make("strong", { text: "These are examples, not written by a model. " }), this.state?.reason);
    return fill(this.cards, make("h2", { text: "Drafts" }), note,
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
      await api.keepDraft({ excerpt: this.excerpt, variant });
      this.refresh();
    } catch (error) {
      // Whoever closes the sharing sheet has changed their mind.
      if (error.name !== "AbortError") showError(error);
    }
  }

  showHistory() {
    const { history, brokenHistory } = this.state;
    const isShown = history.length > 0 || brokenHistory;
    fill(this.used, isShown && make("section", { class: "card paper-history" },
      make("h2", { text: "Used drafts" }),
      brokenHistory && make("p", {
        text: "An earlier history could not be read. It is kept in the workspace’s folder, as "
          + `${brokenHistory}.`,
      }),
      make("ul", {}, history.map(({ id, variant, postedAt }) => make("li", {},
        make("p", {}, make("strong", { text: `${toneName(variant.tone)}, ${when(postedAt)}: ` }),
          variant.text),
        roundButton(icon("delete"), "Delete from the history", async () => {
          try {
            await api.forgetDraft(id);
            this.refresh();
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
