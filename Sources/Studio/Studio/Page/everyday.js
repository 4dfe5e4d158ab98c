// The model that knows everyday things from the beginning, for people without samples of their own.

import { api } from "./api.js";
import { change } from "./refresh.js";
import { go } from "./router.js";
import { chooseModel, store, useModel } from "./store.js";
import { toast } from "./toasts.js";

const name = "Everyday things";
/** The button's text. */
export const offer = "Try 174 everyday things";
/** Example emojis. */
export const faces = ["🐱", "🏠", "☂️", "🍎", "🌳", "🐟", "⭐", "🚌", "🌙", "👓", "🍕", "🔑"];

/** The text about a model before its labels are counted. */
export const factsOf = ({ isEveryday }) => isEveryday ? ["knows everyday things"] : [];

const isEverydays = ({ isEveryday }) => isEveryday;

/** Activates a model of everyday things: an existing one, or else a new one. */
export function tryEveryday() {
  return change(async () => {
    const model = await activate();
    toast(`“${model.name}” is active now.`, {
      kind: "good", detail: "Draw a cat, a house, an umbrella … and teach it your own on top.",
    });
  });
}

async function activate() {
  const models = await api.models();
  const model = models.find(isEverydays)
    ?? await api.createModel(freeName(models), { isEveryday: true });
  await useModel(model.id);
  return model;
}

/**
 * Opens the Playground with everyday things, and offers the way back to a model that was left.
 * Guests, who change nothing, play with the model that they see; with everyday things if it was
 * taught nothing yet.
 */
export function playNow() {
  if (store.model.isEveryday) return go("playground");
  return change(store.isGuest ? playAsGuest : playAsOwner).then((isDone) => {
    if (isDone) go("playground");
  });
}

async function playAsGuest() {
  if (store.model.lastTrained) return;
  const model = (await api.models()).find(isEverydays);
  if (model) await chooseModel(model.id);
}

async function playAsOwner() {
  const before = store.model;
  const model = await activate();
  if (before.sampleCount === 0 && !before.lastTrained) return;
  toast(`“${model.name}” is active now.`, {
    kind: "good", action: "Go back",
    onaction: () => change(async () => {
      await useModel(before.id);
      toast(`“${before.name}” is active again.`, { kind: "good" });
    }),
  });
}

function freeName(models) {
  const taken = new Set(models.map((model) => model.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
