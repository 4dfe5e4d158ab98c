// The emoji picker (F-002): search, groups, the ones used last, and everything by keyboard.

import { fill, make, nextByKey, rove } from "./dom.js";
import { icon } from "./icons.js";

const recentKey = "drawml.recent-emojis";
const mostRecent = 24;

/** What people draw first; searches put these before their rarer kin. */
export const favourites = ["⭐", "❤️", "🏠", "😀", "🐟", "🌳", "☀️", "🌙", "🌸", "🐱", "⚡", "🚗", "⛵", "🍎", "🦋", "☁️"];

let list = null;

/** All emojis: `{emoji, name, words, group}`. Loaded when somebody first needs them. */
export async function allEmojis() {
  if (list) return list;
  const { emojiList } = await import("./emoji-data.js");
  let group = "";
  list = [];
  for (const line of emojiList.split("\n")) {
    if (line === "") continue;
    if (line.startsWith("# ")) {
      group = line.slice(2);
      continue;
    }
    const [emoji, name, words = ""] = line.split("\t");
    list.push({ emoji, name, words: `${name} ${words}`.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean), group });
  }
  return list;
}

let names = null;

/** The name of an emoji in words, or the label itself, as where there is no server to ask. Asks for the list only the first time. */
export async function nameOf(label) {
  try {
    names ??= new Map((await allEmojis()).map(({ emoji, name }) => [plain(emoji), name]));
  } catch {
    return label;
  }
  return names.get(plain(label)) ?? label;
}

function plain(text) {
  return text.replaceAll("\ufe0f", "");
}

/** The emojis that were picked last on this device. */
export function recentEmojis() {
  try {
    const kept = JSON.parse(localStorage.getItem(recentKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, mostRecent) : [];
  } catch {
    return [];
  }
}

/** Remembers that an emoji was picked. */
export function remember(emoji) {
  const kept = [emoji, ...recentEmojis().filter((other) => other !== emoji)].slice(0, mostRecent);
  try {
    localStorage.setItem(recentKey, JSON.stringify(kept));
  } catch {
    // Without storage there are no recent emojis.
  }
}

/** Emojis whose words begin with every word of the query: those with just that name first, then what people like to draw. */
export function search(emojis, query) {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  if (words.length === 0) {
    const pasted = query.match(/\p{Extended_Pictographic}(\ufe0f|\u200d|\p{Emoji_Modifier}|\p{Extended_Pictographic})*/u);
    return pasted ? [{ emoji: pasted[0], name: pasted[0], words: [], group: "" }] : [];
  }
  const found = emojis.filter((each) => words.every((word) => each.words.some((other) => other.startsWith(word))));
  const liked = new Set([...favourites, ...recentEmojis()]);
  const rank = (each) => {
    const name = each.name.toLowerCase();
    if (name === words.join(" ")) return 0;
    if (liked.has(each.emoji)) return 1;
    const parts = name.split(/[^\p{L}\p{N}]+/u);
    if (parts.includes(words[0])) return 2;
    return parts.some((part) => part.startsWith(words[0])) ? 3 : 4;
  };
  return found.map((each) => [rank(each), each]).sort((a, b) => a[0] - b[0]).map(([, each]) => each);
}

export class EmojiPicker {
  /** @param {(emoji: string) => void} onpick What happens with the emoji. */
  constructor(onpick) {
    this.onpick = onpick;
    this.picked = "";
    this.input = make("input", {
      class: "input", type: "search", placeholder: "Search: heart, cat, sun …", "aria-label": "Search emojis",
      autocomplete: "off", spellcheck: "false", oninput: () => this.find(), onkeydown: (event) => this.key(event),
    });
    this.groups = make("div", { class: "picker-groups", role: "group", "aria-label": "Jump to a group" });
    this.found = make("p", { class: "unseen", role: "status" });
    this.list = make("div", {
      class: "picker-list", role: "listbox", "aria-label": "Emojis",
      onclick: (event) => this.click(event), onkeydown: (event) => this.key(event),
    });
    this.element = make("div", { class: "picker" },
      make("div", { class: "picker-search" }, icon("search"), this.input), this.groups, this.found, this.list);
  }

  /** Shows all emojis; to be called once it is in the page. */
  async open() {
    if (!this.emojis) {
      this.emojis = await allEmojis();
      this.sections = Map.groupBy(this.emojis, (each) => each.group);
    }
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
    if (recent.length > 0) {
      const known = new Map(this.emojis.map((each) => [each.emoji, each]));
      sections.push(["Used last", recent.map((emoji) => known.get(emoji) ?? { emoji, name: emoji })]);
    }
    sections.push(...this.sections);
    const parts = sections.map(([name, emojis]) => this.section(name, emojis));
    fill(this.list, parts);
    fill(this.groups, sections.map(([name, emojis], index) => make("button", {
      class: "picker-group", type: "button", title: name, "aria-label": name,
      onclick: () => this.jump(parts[index]),
    }, make("span", { class: "emoji", text: emojis[0].emoji, "aria-hidden": "true" }))));
    this.groups.hidden = false;
    rove(this.list, this.list.querySelector("[role=option]"));
  }

  /** Goes to a group, also with the Tab key. */
  jump(part) {
    rove(this.list, part.querySelector("[role=option]"));
    const scroll = () => {
      this.list.scrollTop += part.getBoundingClientRect().top - this.list.getBoundingClientRect().top;
    };
    scroll();
    // Groups that were not seen yet have only now their true heights.
    requestAnimationFrame(scroll);
  }

  section(name, emojis) {
    return make("div", { class: "picker-section", role: "group", "aria-label": name },
      make("p", { class: "picker-title", text: name, "aria-hidden": "true" }),
      make("div", { class: "picker-grid", role: "presentation" }, emojis.map(({ emoji, name: words }) => make("span", {
        class: "picker-emoji emoji", role: "option", tabindex: "-1", "aria-label": words, title: words,
        "aria-selected": String(emoji === this.picked), data: { emoji }, text: emoji,
      }))));
  }

  find() {
    // What is typed before the list is here is looked for when it is.
    if (!this.emojis) return;
    const query = this.input.value.trim();
    if (query === "") {
      this.found.textContent = "";
      this.showAll();
      return;
    }
    const emojis = search(this.emojis, query).slice(0, 200);
    this.groups.hidden = true;
    this.found.textContent = emojis.length === 0 ? "No emoji found." : `${emojis.length} found.`;
    if (emojis.length === 0) {
      fill(this.list, make("p", { class: "picker-none", text: `Nothing is called “${query}”. Try a shorter word.` }));
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
    const { emoji } = option.dataset;
    remember(emoji);
    this.choose(emoji);
    this.onpick(emoji);
  }

  key(event) {
    const options = [...this.list.querySelectorAll("[role=option]")];
    if (event.target === this.input) {
      // Also where nothing is found: Enter must not press the button of a form around it.
      if (event.key === "ArrowDown") rove(this.list, options[0], { focus: true });
      else if (event.key === "Enter") options.slice(0, 1).forEach((option) => this.pick(option));
      else if (event.key === "Escape" && this.input.value !== "") {
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
      // Above the first row the words are searched for.
      else if (event.key === "ArrowUp") this.input.focus();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.input.focus();
      return;
    } else return;
    event.preventDefault();
  }
}
