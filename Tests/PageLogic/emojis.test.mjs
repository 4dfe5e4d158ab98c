// Emojis are found by what people type, in their language.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { folder, openPage } from "./page.mjs";

/** The module in a browser of some languages, and what it asked for; `missing` cannot be loaded. */
async function emojisFor(languages, { missing = [] } = {}) {
  const asked = [];
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  globalThis.fetch = async (path) => {
    asked.push(path);
    if (missing.includes(path)) throw new TypeError("no network");
    return new Response(await readFile(new URL(path.slice(1), folder)));
  };
  const module = await openPage()("emojis.js");
  const found = async (query) => {
    const all = await module.allEmojis();
    return module.search(all, query, module.favorites).map(({ emoji }) => emoji);
  };
  return { ...module, found, asked };
}

const english = await emojisFor(["en-US"]);

const typed = {
  dinosaur: "🦕", smiley: "😀", kitty: "🐱", oval: "⭕", plane: "✈️", happy: "😀", cats: "🐈",
  headphones: "🎧", heart: "❤️", house: "🏠", ship: "🚢", puppy: "🐶",
  // Unicode's names are found as well as those of our own.
  "red heart": "❤️", "deciduous tree": "🌳", "snowman without snow": "⛄",
};
for (const [query, emoji] of Object.entries(typed)) {
  test(`${query} is ${emoji}`, async () => {
    assert.ok((await english.found(query)).slice(0, 3).includes(emoji));
  });
}

test("whole words come before others: no pillar before a pill", async () => {
  const names = { pear: "🍐", ring: "💍", cat: "🐱", bus: "🚌", ant: "🐜", ear: "👂" };
  for (const [name, emoji] of Object.entries(names)) {
    assert.equal((await english.found(name))[0], emoji, name);
  }
});

test("only the words of the browser's language are loaded", async () => {
  const german = await emojisFor(["de-AT", "fr"]);
  await german.allEmojis();
  await german.allEmojis();
  assert.deepEqual(german.asked.sort(), ["/emoji-de.txt.gz", "/emoji-en.txt.gz"]);
  await english.allEmojis();
  assert.deepEqual(english.asked, ["/emoji-en.txt.gz"]);
});

// The browser's language, a word of it, and what it means.
const languages = [
  ["de-AT", "Schmetterling", "🦋"],
  ["de-DE", "dinosaurier", "🦕"],
  ["es-MX", "corazon", "❤️"],
  ["fr-FR", "étoile", "⭐"],
  ["pt-BR", "gato", "🐈"],
  ["id-ID", "rumah", "🏠"],
  ["ru-RU", "кошка", "🐈"],
  ["ar-EG", "قلب", "❤️"],
  ["ur-PK", "مچھلی", "🐟"],
  ["hi-IN", "बिल्ली", "🐈"],
  ["bn-BD", "মাছ", "🐟"],
  ["zh-CN", "飞机", "✈️"],
  ["ja-JP", "家", "🏠"],
  // As people type it: without ß, in Hiragana, with vowel marks.
  ["de-CH", "fussball", "⚽"],
  ["ja-JP", "ねこ", "🐈"],
  ["ar-EG", "قَلْب", "❤️"],
];
for (const [language, word, emoji] of languages) {
  test(`${word} is ${emoji} in ${language}, and English is found as well`, async () => {
    const { found } = await emojisFor([language]);
    assert.ok((await found(word)).slice(0, 4).includes(emoji));
    assert.ok((await found(word.toUpperCase())).slice(0, 4).includes(emoji));
    assert.ok((await found("dinosaur")).slice(0, 2).includes("🦕"));
  });
}

test("without the words of a language there are the English ones", async () => {
  const german = await emojisFor(["de-DE"], { missing: ["/emoji-de.txt.gz"] });
  assert.ok((await german.found("cat")).slice(0, 2).includes("🐈"));
  const finnish = await emojisFor(["fi-FI"]);
  assert.ok((await finnish.found("cat")).slice(0, 2).includes("🐈"));
});

test("a list that could not be loaded is asked for again", async () => {
  const missing = ["/emoji-en.txt.gz"];
  const { allEmojis, nameOf, found } = await emojisFor(["en"], { missing });
  await assert.rejects(allEmojis());
  assert.equal(await nameOf("⭐"), "⭐");
  missing.pop();
  assert.equal(await nameOf("⭐"), "star");
  assert.equal((await found("star"))[0], "⭐");
});

test("a pasted emoji is found, and nothing by a word that no emoji has", async () => {
  assert.deepEqual(await english.found("🐸"), ["🐸"]);
  assert.deepEqual(await english.found("nosuchemoji"), []);
});

// Everyday things whose own word is worse than the emoji's name, or is another form of it.
const otherNames = {
  "The Eiffel Tower": "Eiffel Tower", "school bus": "bus", campfire: "fire", "coffee cup": "cup",
  drums: "drum", eyeglasses: "glasses", firetruck: "fire truck", rollerskates: "roller skate",
  "sea turtle": "turtle", "teddy-bear": "teddy bear", "tennis racquet": "tennis racket",
  waterslide: "slide", "wine bottle": "bottle", wristwatch: "watch",
};

test("everyday things are called what people call them", async () => {
  const file = new URL("../../models/everyday-labels.json", import.meta.url);
  const everyday = JSON.parse(await readFile(file, "utf8"));
  const german = await emojisFor(["de-DE"]);
  const names = await Promise.all(Object.values(everyday).map(german.nameOf));
  const wanted = Object.keys(everyday).map((word) => otherNames[word] ?? word);
  assert.deepEqual(names, wanted);
  // A name is one emoji's.
  assert.equal(new Set(names).size, 174);
  for (const [name, emoji] of Object.entries({
    tree: "🌳", snowman: "⛄", moon: "🌙", laubbaum: "🌳",
  })) {
    assert.equal((await german.found(name))[0], emoji, name);
  }
});

test("the kept names survive a missing variation selector", async () => {
  assert.equal(await english.nameOf("❤"), "heart");
  assert.equal(await english.nameOf("a word"), "a word");
});
