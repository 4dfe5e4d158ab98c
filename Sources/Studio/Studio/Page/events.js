// The server's event stream: open while the page is visible, closed while it is hidden.
// No heartbeat, no polling. A lost server is tried a few times at growing intervals, and then only
// when someone uses the page.

import { tell } from "./store.js";

const kinds = [
  "hello", "canvas", "canvas-event", "training", "trained", "training-failed", "changed", "problem",
];
const pauses = [400, 1200, 3000, 8000, 20000];

let stream = null;
let playground = null;
let attempt = 0;
let timer = 0;
let isWanted = false;
let isLost = false;
let lostAt = 0;

/** Opens the stream; with a playground's id it includes the events of its canvas. */
export function listenToServer(id = null) {
  const isSame = isWanted && id === playground && stream !== null;
  // The stream of a playground that is deleted ends; its server is not lost.
  if (id !== playground && performance.now() - lostAt < pauses[0]) isLost = false;
  playground = id;
  isWanted = true;
  if (!isSame) connect();
}

/** Opens the stream again, as after the server came back. */
export function reconnect() {
  attempt = 0;
  connect();
}

function connect() {
  clearTimeout(timer);
  stream?.close();
  stream = null;
  if (!isWanted || document.visibilityState === "hidden") return;
  const query = playground ? `?playground=${encodeURIComponent(playground)}` : "";
  const source = new EventSource(`/api/events${query}`);
  stream = source;
  let isHeard = false;
  // With the first event the stream is subscribed: nothing is missed from then on.
  const greet = () => {
    isHeard = true;
    attempt = 0;
    const wasLost = isLost;
    isLost = false;
    tell("connection", { isOpen: true, wasLost });
  };
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => {
      if (source !== stream) return;
      if (!isHeard) greet();
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
    // The browser itself would retry every few seconds forever.
    source.close();
    stream = null;
    [isLost, lostAt] = [true, performance.now()];
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

// A page that is restored from the back/forward cache is visible again.
addEventListener("pageshow", (event) => {
  if (event.persisted && isWanted) reconnect();
});

for (const sign of ["pointerdown", "keydown", "online"]) {
  addEventListener(sign, () => {
    if (isWanted && stream === null && document.visibilityState === "visible") reconnect();
  }, { capture: true, passive: true });
}
