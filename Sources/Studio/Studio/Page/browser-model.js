// The choice of the model that this browser uses: the shared one, which is active for everybody,
// or one of its own.

import { api } from "./api.js";
import { fill, make } from "./dom.js";
import { chooseModel, listen, store } from "./store.js";
import { showError, toast } from "./toasts.js";

/** The field with the choice. */
export class ModelChoice {
  /** @param {AbortSignal} [signal] Keeps it up to date until this aborts. */
  constructor(id, signal) {
    this.select = make("select", { class: "input", id, onchange: () => this.choose() });
    this.element = make("div", { class: "field" },
      make("label", { for: id, text: "This browser uses" }), this.select);
    if (signal) listen("model", () => this.show(), signal);
    this.show();
  }

  /** Shows the server's models; only the newest answer counts. */
  async show() {
    const asked = Symbol("asked");
    this.asked = asked;
    let models;
    try {
      models = await api.models();
    } catch (error) {
      showError(error);
      return;
    }
    if (this.asked !== asked) return;
    const option = (value, text) =>
      make("option", { value, text, selected: value === (store.chosen ?? "") });
    fill(this.select,
      option("", `Shared: ${store.shared.name}`),
      models.map(({ id, name }) => option(id, name)));
  }

  async choose() {
    try {
      await chooseModel(this.select.value || null);
    } catch (error) {
      showError(error);
      this.show();
      return;
    }
    const { name } = store.model;
    toast(store.chosen ? `This browser uses “${name}” now.` : `The shared model is “${name}”.`);
  }
}
