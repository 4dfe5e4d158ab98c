// The state that all screens share: the model in use, settings, trainings, what a browser keeps.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { settle } from "./clock.mjs";
import { Studio } from "./studio.mjs";
import { Tab } from "./tab.mjs";

let [studio, tab, themes] = [];

beforeEach(async () => {
  await settle();
  studio = new Studio();
  studio.models.push({ id: "n", name: "Mine" }, { id: "o", name: "Other" });
  tab = new Tab(studio);
  themes = [];
  globalThis.chooseTheme = (theme) => themes.push(theme);
});

/** The page's state, once it is loaded. */
async function opened() {
  const module = await tab.load("store.js");
  await module.load();
  return module;
}

/** Holds the next answer to a request that a function finds. */
function hold(isWanted) {
  let release;
  const held = new Promise((done) => {
    release = done;
  });
  let isHeld = false;
  studio.answerInstead = async (request) => {
    if (isHeld || !isWanted(request)) return;
    isHeld = true;
    await held;
  };
  return async () => {
    release();
    await settle();
  };
}

// MARK: Models

test("a browser's own model is in use there, also after a reload", async () => {
  const { store, chooseModel } = await opened();
  assert.equal(store.model.name, "First");
  await chooseModel("n");
  assert.deepEqual([store.model.name, store.shared.name], ["Mine", "First"]);
  await tab.reload();
  const again = await opened();
  assert.equal(again.store.model.name, "Mine");
  await again.chooseModel(null);
  assert.equal(again.store.model.name, "First");
});

test("of two choices at once the newest decides", async () => {
  const { store, chooseModel } = await opened();
  const release = hold(({ path }) => path === "/api/models");
  const early = chooseModel("n");
  await settle();
  await chooseModel("o");
  assert.equal(store.model.name, "Other");
  await release();
  await early;
  assert.equal(store.model.name, "Other");
});

test("a chosen model that is deleted is replaced by the shared one", async () => {
  const { store, chooseModel, listen, load } = await opened();
  await chooseModel("n");
  const gone = [];
  listen("model-gone", ({ name }) => gone.push(name));
  studio.models = studio.models.filter(({ id }) => id !== "n");
  await load();
  assert.equal(store.model.name, "First");
  assert.deepEqual(gone, ["First"]);
  assert.equal(store.chosen, null);
  await load();
  assert.equal(gone.length, 1);
});

test("a new model is for this browser alone if it has its own, or else for everybody", async () => {
  const { store, chooseModel, useModel } = await opened();
  const patched = [];
  studio.answerInstead = ({ method, path, body }) => {
    if (method !== "PATCH") return undefined;
    patched.push([path, body]);
    return { json: { id: "o" } };
  };
  await useModel("o");
  assert.deepEqual(patched, [["/api/models/o", { isActive: true }]]);
  await chooseModel("n");
  await useModel("o");
  assert.equal(patched.length, 1);
  assert.equal(store.chosen, "o");
});

test("another tab's choice is this one's", async () => {
  const { store } = await opened();
  localStorage.setItem("drawml.model", "n");
  tab.happens("storage", { key: "drawml.model" });
  await settle();
  assert.equal(store.model.name, "Mine");
});

test("what was learned of a label is known of the model in use alone", async () => {
  const { store, keepNames, samplesOf, givenName } = await opened();
  assert.equal(samplesOf("⭐"), Infinity);
  keepNames("m", [
    { label: "⭐", name: "Twinkle", taughtCount: 2 },
    { label: "🐱", taughtCount: 0, isEveryday: true },
  ]);
  assert.deepEqual(["⭐", "🐱", "🌙"].map(samplesOf), [2, Infinity, 0]);
  assert.equal(givenName("⭐"), "Twinkle");
  store.model = { id: "n" };
  assert.deepEqual([samplesOf("⭐"), givenName("⭐")], [Infinity, undefined]);
});

// MARK: Trainings

test("a training that was begun here is not forgotten by an older answer", async () => {
  const { store, load } = await opened();
  // It was asked for before the training began, and answered after.
  const release = hold(({ path }) => path === "/api/state");
  const loading = load();
  await settle();
  store.training = { model: "m", isAsked: true };
  await release();
  await loading;
  assert.equal(store.training.model, "m");
  // While its own request is on its way the server knows nothing of it either.
  await load();
  assert.equal(store.training.model, "m");
  store.training.isAsked = false;
  await load();
  assert.equal(store.training, null);
});

test("another program's training is known", async () => {
  studio.trainings = [{ model: "n" }, { model: "m", stage: "saving" }];
  const { store } = await opened();
  assert.equal(store.training.stage, "saving");
});

// MARK: Settings

test("settings are sent in their order, and newer than any answer", async () => {
  const { store, changeSettings, load } = await opened();
  const release = hold(({ method }) => method === "PATCH");
  const one = changeSettings({ penSize: 9 });
  await settle();
  const other = changeSettings({ penSize: 12 });
  // Another program's change makes the page ask for all.
  await load();
  assert.equal(store.settings.penSize, 12);
  await release();
  await Promise.all([one, other]);
  const sent = studio.requests.filter(({ method }) => method === "PATCH");
  assert.deepEqual(sent.map(({ body }) => body), [{ penSize: 9 }, { penSize: 12 }]);
  assert.equal(store.settings.penSize, 12);
});

test("a setting that could not be kept is as before, and says so", async () => {
  const { store, changeSettings } = await opened();
  studio.answerInstead = ({ method }) => {
    if (method === "PATCH") throw new TypeError("Failed to fetch");
  };
  const change = changeSettings({ theme: "dark" });
  assert.deepEqual([store.settings.theme, themes.at(-1)], ["dark", "dark"]);
  await assert.rejects(change, /does not answer/);
  assert.deepEqual([store.settings.theme, themes.at(-1)], ["system", "system"]);
});

test("a guest's settings are of their browser", async () => {
  studio.isGuest = true;
  const { store, changeSettings } = await opened();
  await changeSettings({ theme: "dark" });
  await tab.reload();
  const again = await opened();
  assert.equal(again.store.settings.theme, "dark");
  assert.equal(again.store.settings.onboardingSeen, true);
  assert.equal(studio.requests.filter(({ method }) => method === "PATCH").length, 0);
  assert.equal(store.isGuest, true);
});

test("guests teach the shared model, if its owner lets them", async () => {
  studio.isGuest = true;
  const { store, canTeach } = await opened();
  assert.equal(canTeach(), false);
  store.settings = { ...store.settings, guestsMayTeach: true };
  assert.deepEqual([canTeach(), canTeach("n")], [true, false]);
  store.isGuest = false;
  assert.equal(canTeach("n"), true);
});
