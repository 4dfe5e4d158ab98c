// The picker of labels (F-002): emojis by search and groups, words, and full keyboard access.

import { openDialog } from "./dialogs.js";
import { button, decorativeEmoji, fill, make, nextByKey, rove } from "./dom.js";
import { allEmojis, favorites, search } from "./emojis.js";
import { icon } from "./icons.js";
import { keep, keptValue } from "./kept.js";
import { store } from "./store.js";

const recentKey = "drawml.recent-emojis";
const mostRecent = 24;
/** How many of the model's own labels a picker begins with. */
const mostOwn = 48;

/** The recently picked emojis on this device. */
export function recentEmojis() {
  const kept = keptValue(recentKey);
  if (!Array.isArray(kept)) return [];
  return kept.filter((each) => typeof each === "string").slice(0, mostRecent);
}

/** Remembers that an emoji was picked. */
export function remember(emoji) {
  const kept = [emoji, ...recentEmojis().filter((other) => other !== emoji)].slice(0, mostRecent);
  keep(recentKey, JSON.stringify(kept));
}

export class EmojiPicker {
  /**
   * @param {(emoji: string) => void} onpick Called with the picked emoji.
   * @param {Array<string>} [first] The labels that it begins with.
   */
  constructor(onpick, first = []) {
    Object.assign(this, { onpick, first });
    this.picked = "";
    this.input = make("input", {
      class: "input", type: "search", placeholder: "Emoji or word: cat …",
      "aria-label": "Search emojis", autocomplete: "off", spellcheck: "false",
      oninput: () => this.find(), onkeydown: (event) => this.key(event),
    });
    // A label can be a word, too; the server decides whether it may be that one.
    this.word = make("button", {
      class: "picker-word", type: "button", hidden: true, onclick: () => this.use(this.query),
    });
    this.groups = make("div", {
      class: "picker-groups", role: "group", "aria-label": "Jump to a group",
    });
    this.found = make("p", { class: "unseen", role: "status" });
    this.list = make("div", {
      class: "picker-list", role: "listbox", "aria-label": "Emojis",
      onclick: (event) => this.click(event), onkeydown: (event) => this.key(event),
    });
    this.element = make("div", { class: "picker" },
      make("div", { class: "picker-search" }, icon("search"), this.input),
      this.word, this.groups, this.found, this.list);
  }

  /** Shows all emojis; to be called once it is in the page. */
  async open() {
    try {
      this.emojis ??= await allEmojis();
    } catch (error) {
      // Words can be picked without the list.
      const again = button("", "Try again", () => this.open());
      const words = make("p", { text: error.message });
      fill(this.list, make("div", { class: "picker-none" }, words, again));
      return;
    }
    this.sections ??= Map.groupBy(this.emojis, (each) => each.group);
    this.find();
  }

  /** Marks an emoji as the chosen one. */
  choose(emoji) {
    this.picked = emoji;
    for (const option of this.list.querySelectorAll("[role=option]")) {
      option.setAttribute("aria-selected", String(option.dataset.emoji === emoji));
    }
  }

  showAll() {
    const recent = recentEmojis();
    const sections = [];
    const named = new Map(this.emojis.map((each) => [each.emoji, each]));
    if (this.first.length > 0) {
      const own = this.first.map((label) => named.get(label) ?? { emoji: label, name: label });
      sections.push(["This model’s", own]);
    }
    if (recent.length > 0) {
      const used = recent.map((emoji) => named.get(emoji) ?? { emoji, name: emoji });
      sections.push(["Used last", used]);
    }
    sections.push(...this.sections);
    const parts = sections.map(([name, emojis]) => this.section(name, emojis));
    fill(this.list, parts);
    fill(this.groups, sections.map(([name, emojis], index) => make("button", {
      class: "picker-group", type: "button", title: name, "aria-label": name,
      onclick: () => this.jump(parts[index]),
    }, decorativeEmoji(emojis[0].emoji))));
    this.groups.hidden = false;
    rove(this.list, this.list.querySelector("[role=option]"));
  }

  /** Scrolls to a group, and moves the tab stop there. */
  jump(part) {
    rove(this.list, part.querySelector("[role=option]"));
    const scroll = () => {
      const { top } = this.list.getBoundingClientRect();
      this.list.scrollTop += part.getBoundingClientRect().top - top;
    };
    scroll();
    // Groups that were not visible yet get their true heights only now.
    requestAnimationFrame(scroll);
  }

  section(name, emojis) {
    return make("div", { class: "picker-section", role: "group", "aria-label": name },
      make("p", { class: "picker-title", text: name, "aria-hidden": "true" }),
      make("div", { class: "picker-grid", role: "presentation" },
        emojis.map(({ emoji, name: words }) => make("span", {
          class: "picker-emoji emoji", role: "option", tabindex: "-1", "aria-label": words,
          title: words, "aria-selected": String(emoji === this.picked), data: { emoji },
          text: emoji,
        }))));
  }

  get query() {
    return this.input.value.trim();
  }

  find() {
    const { query } = this;
    this.word.hidden = !/[\p{L}\p{N}\p{S}\p{P}]/u.test(query);
    this.word.textContent = `Use the word “${query}”`;
    // A query typed before the list is loaded is searched for when it is.
    if (!this.emojis) return;
    if (query === "") {
      this.found.textContent = "";
      this.showAll();
      return;
    }
    const liked = [...favorites, ...recentEmojis()];
    const emojis = search(this.emojis, query, liked).slice(0, 200);
    this.word.hidden ||= emojis.length > 0 && emojis[0].words.length === 0;
    this.groups.hidden = true;
    this.found.textContent = emojis.length === 0 ? "No emoji found." : `${emojis.length} found.`;
    if (emojis.length === 0) {
      const text = `No emoji is called “${query}”.`;
      fill(this.list, make("p", { class: "picker-none", text }));
      return;
    }
    fill(this.list, this.section("Found", emojis));
    this.list.scrollTop = 0;
    rove(this.list, this.list.querySelector("[role=option]"));
  }

  click(event) {
    const option = event.target.closest("[role=option]");
    if (option) this.pick(option);
  }

  pick(option) {
    this.use(option.dataset.emoji);
  }

  /** Picks an emoji or a word. */
  use(label) {
    remember(label);
    this.choose(label);
    this.onpick(label);
  }

  key(event) {
    const options = [...this.list.querySelectorAll("[role=option]")];
    if (event.target === this.input) {
      if (event.key === "ArrowDown") rove(this.list, options[0], { focus: true });
      else if (event.key === "Enter") {
        // A word that may be mistyped is not picked at once.
        if (options.length > 0) this.pick(options[0]);
        else this.word.focus();
      } else if (event.key === "Escape" && this.input.value !== "") {
        this.input.value = "";
        this.find();
        event.stopPropagation();
      } else return;
      event.preventDefault();
      return;
    }
    const index = options.indexOf(event.target.closest("[role=option]"));
    if (index < 0) return;
    if (event.key === "Enter" || event.key === " ") this.pick(options[index]);
    else if (/^(Arrow|Home|End)/.test(event.key)) {
      const next = nextByKey(options, index, event.key);
      if (next) rove(this.list, next, { focus: true });
      // Above the first row is the search field.
      else if (event.key === "ArrowUp") this.input.focus();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.input.focus();
      return;
    } else return;
    event.preventDefault();
  }
}

/**
 * Asks for a label in a dialog that begins with those of the model in use. Resolves to undefined if
 * nothing was picked.
 */
export async function askLabel(title, before = "") {
  const { model, counts } = store.names;
  const own = model === store.model?.id ? [...counts.keys()].slice(0, mostOwn) : [];
  const picker = new EmojiPicker((label) => dialog.close(label), own);
  const dialog = openDialog({ title, body: [picker.element] });
  picker.input.focus();
  // A word may be picked before the emojis are there.
  picker.open().then(() => picker.choose(before));
  return dialog.closed;
}
