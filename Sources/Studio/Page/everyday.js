// The model that knows everyday things from the beginning, for people without samples of their own.

import { api } from "./api.js";
import { change } from "./refresh.js";
import { useModel } from "./store.js";
import { toast } from "./toasts.js";

const name = "Everyday things";
/** The button's text. */
export const offer = "Try 174 everyday things";
/** Example emojis. */
export const faces = ["🐱", "🏠", "☂️", "🍎", "🌳", "🐟", "⭐", "🚌", "🌙", "👓", "🍕", "🔑"];

/** The text about a model before its labels are counted. */
export const factsOf = ({ isEveryday }) => isEveryday ? ["knows everyday things"] : [];

/** Activates a model of everyday things: an existing one, or else a new one. */
export function tryEveryday() {
  return change(async () => {
    const models = await api.models();
    const model = models.find(({ isEveryday }) => isEveryday)
      ?? await api.createModel(freeName(models), { isEveryday: true });
    await useModel(model.id);
    toast(`“${model.name}” is active now.`, {
      kind: "good", detail: "Draw a cat, a house, an umbrella … and teach it your own on top.",
    });
  });
}

function freeName(models) {
  const taken = new Set(models.map((model) => model.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
