// The server's event stream: one while the page is seen, none while it is hidden. No heartbeat, no polling; when the
// server goes away it is looked for a few times, ever more slowly, and then only when somebody uses the page.

import { tell } from "./store.js";

const kinds = ["canvas", "canvas-event", "training", "trained", "training-failed", "changed", "problem"];
const pauses = [400, 1200, 3000, 8000, 20000];

let stream = null;
let playground = null;
let attempt = 0;
let timer = 0;
let isWanted = false;
let isLost = false;

/** Begins to listen; with a playground's id its canvas's events come too. */
export function listenToServer(id = null) {
  const isSame = isWanted && id === playground && stream !== null;
  playground = id;
  isWanted = true;
  if (!isSame) connect();
}

/** Opens the stream anew, as after the server came back. */
export function reconnect() {
  attempt = 0;
  connect();
}

function connect() {
  clearTimeout(timer);
  stream?.close();
  stream = null;
  if (!isWanted || document.visibilityState === "hidden") return;
  const source = new EventSource(playground ? `/api/events?playground=${encodeURIComponent(playground)}` : "/api/events");
  stream = source;
  source.addEventListener("open", () => {
    attempt = 0;
    const wasLost = isLost;
    isLost = false;
    tell("connection", { isOpen: true, wasLost });
  });
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => {
      if (source !== stream) return;
      let value;
      try {
        value = JSON.parse(event.data);
      } catch {
        return;
      }
      tell(kind, value);
    });
  }
  source.addEventListener("error", () => {
    if (source !== stream) return;
    // The browser's own way is to ask again every few seconds for ever.
    source.close();
    stream = null;
    isLost = true;
    tell("connection", { isOpen: false, wasLost: true });
    if (attempt < pauses.length && document.visibilityState === "visible") {
      timer = setTimeout(connect, pauses[attempt]);
      attempt += 1;
    }
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  } else if (isWanted) {
    reconnect();
  }
});

// A page that was left behind and comes back from the browser's cache is a page that is seen again.
addEventListener("pageshow", (event) => {
  if (event.persisted && isWanted) reconnect();
});

for (const sign of ["pointerdown", "keydown", "online"]) {
  addEventListener(sign, () => {
    if (isWanted && stream === null && document.visibilityState === "visible") reconnect();
  }, { capture: true, passive: true });
}
