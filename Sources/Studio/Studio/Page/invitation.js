// Invite a class: the address for guests, in words and as a QR code, and whether they may teach.
// If other machines cannot reach the studio, how to start it so that they can.

import { api } from "./api.js";
import { button, fill, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { changeSettings, listen, store } from "./store.js";
import { showError, toast } from "./toasts.js";

/** The light border that readers of QR codes need, in modules. */
const quietZone = 4;

/** Shows what a class needs to use this studio. */
export async function openInvitation() {
  let answer;
  try {
    answer = await api.invitation();
  } catch (error) {
    showError(error);
    return;
  }
  const { addresses, command } = answer;
  const closing = new AbortController();
  openDialog({
    title: "Invite a class",
    kind: "is-small",
    body: addresses.length > 0
      ? [...invitation(addresses), new TeachingSwitch(closing.signal).element]
      : command ? opening(command)
        : [make("p", {
          text: "This computer is in no network, so others cannot reach it. Join one, and come "
            + "back here.",
        })],
    onclose: () => closing.abort(),
  });
}

/** How to start the studio for other machines, and what guests see then. */
function opening(command) {
  const words = copyable("class-command", command);
  return [
    make("p", { text: "A class can play along on tablets and phones in your network. So far "
      + "only this computer can reach the studio." }),
    make("ol", { class: "invitation-steps" },
      make("li", { text: "Stop the studio: press Ctrl+C in the window where you started it." }),
      make("li", {},
        make("label", { for: "class-command", text: "Start it again with this line:" }),
        make("div", { class: "invitation-address" },
          words, button("", "Copy", () => copy(words, "line")))),
      make("li", {
        text: "Open the new address that it prints, and come back here. Then there is an address "
          + "for guests, with a code that tablets scan.",
      })),
    make("h3", { class: "field-label", text: "What guests see" }),
    make("ul", { class: "invitation-facts" },
      make("li", { text: "The Playground and Trace, each guest on their own sheet." }),
      make("li", { text: "Your models and their drawings, but they cannot change them." }),
      make("li", { text: "If you like, you can let them teach a model." })),
    command.includes("--tls") ? null : make("p", {
      class: "soft",
      text: "What they send is not encrypted: use a network that you trust.",
    }),
  ];
}

/** A text to copy. */
function copyable(id, text = "") {
  const words = make("textarea", {
    class: "input", id, rows: "2", readonly: true, spellcheck: "false",
  });
  words.value = text;
  return words;
}

function invitation(addresses) {
  const words = copyable("guest-address");
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
      text: "Guests draw and play, each on their own sheet. They cannot change your work.",
    }),
    picture,
    make("div", { class: "field" },
      make("label", { for: "guest-address", text: "Address for guests" }),
      make("div", { class: "invitation-address" },
        words, button("", "Copy", () => copy(words, "address")))),
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

async function copy(words, name) {
  try {
    // Browsers have no clipboard for pages of other machines without encryption.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(words.value);
    } else {
      words.select();
      if (!document.execCommand("copy")) throw new Error("The browser did not allow it.");
    }
    toast(`The ${name} is copied.`, { kind: "good" });
  } catch (error) {
    showError(error, `Couldn’t copy the ${name}.`);
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
