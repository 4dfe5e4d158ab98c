// The emojis, their names and search words; scripts/make-emoji-list makes the files.

/** The languages beside English that the emojis have words in. */
const emojiLanguages = ["zh", "hi", "es", "ar", "fr", "bn", "pt", "ru", "ur", "id", "de", "ja"];

/** The minimum length of a text that is also searched inside words, in languages with spaces. */
const leastInside = 3;

/** An emoji, with its modifiers and joined parts. */
const pictograph = /\p{ExtPict}[\p{ExtPict}\p{Emoji_Modifier}\ufe0f\u200d]*/u;

/** What people draw first; searches rank these higher. */
export const favorites = [
  "⭐", "❤️", "🏠", "😀", "🐟", "🌳", "☀️", "🌙", "🌸", "🐱", "⚡", "🚗", "⛵", "🍎", "🦋", "☁️",
];

let list = null;

/**
 * All emojis: `{emoji, name, names, words, group}`, with the English name, and the names and words
 * that are searched: in English, where some have a name of our own beside Unicode's, and in the
 * browser's language. Loaded when first needed.
 */
export function allEmojis() {
  list ??= load().catch((error) => {
    list = null;
    throw error;
  });
  return list;
}

let names = null;

/** The name of an emoji in words; the label itself if the list lacks it or cannot be loaded. */
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

async function load() {
  const short = navigator.languages.map((each) => each.split("-")[0].toLowerCase());
  const own = short.find((each) => emojiLanguages.includes(each));
  // Without the other language's words the English ones are enough.
  const [lines, others] = await Promise.all([
    linesOf("en"), own ? linesOf(own).catch(() => []) : [],
  ]);
  const all = [];
  let group = "";
  for (const line of lines) {
    if (line.startsWith("# ")) {
      group = line.slice(2);
      continue;
    }
    const [emoji, name, more = "", standard = ""] = line.split("\t");
    const [otherName = "", otherMore = ""] = (others[all.length] ?? "").split("\t");
    const names = [name, standard, otherName].filter(Boolean).map(wordsOf);
    const words = [...new Set([...names.flat(), ...wordsOf(more), ...wordsOf(otherMore)])];
    all.push({ emoji, name, names, words, group });
  }
  return all;
}

async function linesOf(language) {
  const response = await fetch(`/emoji-${language}.txt.gz`);
  if (!response.ok) throw new Error(`The emojis' names cannot be loaded (${response.status}).`);
  const text = response.body.pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(text).text()).trimEnd().split("\n");
}

/**
 * The words of a text, without case, accents and Arabic vowel marks, "ß" as "ss", and Katakana as
 * Hiragana; other vowel signs are parts of words.
 */
export function wordsOf(text) {
  const bare = text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f\u064b-\u0652]/g, "")
    .replaceAll("ß", "ss")
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  return bare.normalize("NFC").split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
}

/** How well a word is found among others: 0 as a whole, 1 at a start, 2 within; else infinity. */
function rankOf(word, others) {
  if (others.includes(word)) return 0;
  if (others.some((other) => other.startsWith(word))) return 1;
  const isLong = word.length >= leastInside || /[^\p{sc=Latn}\p{N}]/u.test(word);
  return isLong && others.some((other) => other.includes(word)) ? 2 : Infinity;
}

/**
 * The emojis that match all words of a query: exact names first, then whole words before
 * beginnings of words, `liked` emojis before others, names before other words.
 */
export function search(emojis, query, liked = []) {
  const words = wordsOf(query);
  if (words.length === 0) {
    const pasted = query.match(pictograph);
    return pasted ? [{ emoji: pasted[0], name: pasted[0], names: [], words: [], group: "" }] : [];
  }
  const whole = words.join(" ");
  const favorites = new Set(liked);
  const found = emojis.flatMap((each) => {
    const worst = (others) => Math.max(...words.map((word) => rankOf(word, others)));
    const rank = worst(each.words);
    if (rank === Infinity) return [];
    const name = each.names.findIndex((words) => words.join(" ") === whole);
    const isInName = each.names.some((name) => worst(name) <= rank);
    const isLiked = favorites.has(each.emoji);
    // Simple emojis before joined ones: an airplane before a pilot.
    const joined = each.emoji.includes("\u200d") ? 0.5 : 0;
    const place = 4 * rank + (isLiked ? 0 : 2) + (isInName ? 0 : 1) + joined;
    // A name that is shown comes before others.
    return [{ each, place: name < 0 ? place : name === 0 ? -2 : -1 }];
  });
  // "cats" is a cat.
  if (found.length === 0 && /^[a-z]{3,}s$/.test(whole)) {
    return search(emojis, whole.slice(0, -1), liked);
  }
  return found.sort((a, b) => a.place - b.place).map(({ each }) => each);
}
