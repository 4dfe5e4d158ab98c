// Which screen is shown: the address's fragment says so, so that Back works and a screen can be bookmarked.

const screens = new Map();
let current = null;
let show = () => {};

/** The screens by name, and what puts one in place. */
export function startRouter(table, shower) {
  for (const [name, screen] of Object.entries(table)) screens.set(name, screen);
  show = shower;
  addEventListener("hashchange", route);
  route();
}

/** Goes to a screen; `words` stand behind it in the address, as in #help/why. */
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
