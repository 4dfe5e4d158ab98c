// Invite a class: the address for guests, in words and as a QR code, and whether they may teach.

import { api } from "./api.js";
import { button, fill, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { changeSettings, listen, store } from "./store.js";
import { showError, toast } from "./toasts.js";

/** The light border that readers of QR codes need, in modules. */
const quietZone = 4;

/** Shows what a class needs to come to this studio. */
export async function openInvitation() {
  let addresses;
  try {
    addresses = await api.invitation();
  } catch (error) {
    showError(error);
    return;
  }
  const closing = new AbortController();
  const teaching = new TeachingSwitch(closing.signal);
  openDialog({
    title: "Invite a class",
    kind: "is-small",
    body: addresses.length > 0
      ? [...invitation(addresses), teaching.element]
      : [make("p", {
        text: "Only this computer reaches this studio: for a class, start it with "
          + "“drawml studio --host 0.0.0.0”.",
      })],
    onclose: () => closing.abort(),
  });
}

function invitation(addresses) {
  const words = make("textarea", {
    class: "input", id: "guest-address", rows: "2", readonly: true, spellcheck: "false",
  });
  const picture = make("div", { class: "invitation-code" });
  const show = ({ url, code }) => {
    words.value = url;
    fill(picture, codePicture(code));
  };
  show(addresses[0]);
  const choice = make("select", {
    class: "input", id: "guest-network",
    onchange: () => show(addresses.find(({ url }) => url === choice.value)),
  }, addresses.map(({ url }) => make("option", { value: url, text: new URL(url).host })));
  return [
    make("p", {
      text: "Guests draw and play, each on a sheet of their own. They change nothing of yours.",
    }),
    picture,
    make("div", { class: "field" },
      make("label", { for: "guest-address", text: "Address for guests" }),
      make("div", { class: "invitation-address" },
        words, button("", "Copy", () => copy(words)))),
    addresses.length > 1 && make("div", { class: "field" },
      make("label", { for: "guest-network", text: "This computer’s address" }), choice),
  ];
}

/** A QR code; black on white in every theme, as readers need it. */
function codePicture({ size, path }) {
  const side = size + 2 * quietZone;
  const corner = -quietZone;
  return make("svg:svg", {
    class: "qr-code", viewBox: `${corner} ${corner} ${side} ${side}`, role: "img",
    "aria-label": "QR code of the address for guests", "shape-rendering": "crispEdges",
  },
  make("svg:rect", { x: corner, y: corner, width: side, height: side }),
  make("svg:path", { d: path }));
}

async function copy(words) {
  try {
    // Browsers have no clipboard for pages of other machines without encryption.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(words.value);
    } else {
      words.select();
      if (!document.execCommand("copy")) throw new Error("The browser did not allow it.");
    }
    toast("The address is copied.", { kind: "good" });
  } catch (error) {
    showError(error, "Couldn’t copy the address.");
  }
}

/** Whether guests may add samples to the active model. */
class TeachingSwitch {
  constructor(signal) {
    this.input = make("input", { type: "checkbox", onchange: () => this.change() });
    this.name = make("span");
    this.element = make("div", { class: "field" },
      make("label", { class: "check" }, this.input, this.name),
      make("p", {
        class: "soft", text: "Their drawings become samples of the active model. You train it.",
      }));
    for (const kind of ["settings", "model"]) listen(kind, () => this.show(), signal);
    this.show();
  }

  show() {
    this.input.checked = store.settings.guestsMayTeach;
    this.name.textContent = `Let guests teach “${store.shared.name}”`;
  }

  async change() {
    try {
      await changeSettings({ guestsMayTeach: this.input.checked });
    } catch (error) {
      showError(error);
    }
  }
}
