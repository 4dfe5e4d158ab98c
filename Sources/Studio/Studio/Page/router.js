// The open screen is named by the address's fragment: Back works, and screens can be bookmarked.

const screens = new Map();
let current = null;
let show = () => {};

/** Routes to the screens of `table`, by name; `onshow` shows one. */
export function startRouter(table, onshow) {
  for (const [name, screen] of Object.entries(table)) screens.set(name, screen);
  show = onshow;
  addEventListener("hashchange", route);
  route();
}

/** Goes to a screen; `words` follow it in the address, as in #help/why. */
export function go(name, ...words) {
  const address = `#${[name, ...words.map(encodeURIComponent)].join("/")}`;
  if (location.hash === address) route();
  else location.hash = address;
}

function route() {
  // The skip link's target is not a screen.
  if (location.hash === "#main") {
    document.getElementById("main").focus();
    history.replaceState(null, "", current ? `#${current}` : "#home");
    return;
  }
  const [name, ...words] = location.hash.slice(1).split("/").map(decode);
  const known = screens.has(name) ? name : "home";
  const isFirst = current === null;
  current = known;
  show(known, screens.get(known), words, isFirst);
}

function decode(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return "";
  }
}
