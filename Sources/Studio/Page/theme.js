// Runs before the first paint, so that a dark room stays dark: the theme is the server's setting, and the copy of it here
// only bridges the time until the settings are there.
(() => {
  const key = "drawml.theme";
  const night = matchMedia("(prefers-color-scheme: dark)");
  let chosen = "system";
  try {
    chosen = localStorage.getItem(key) ?? chosen;
  } catch {
    // Storage can be forbidden; the system's theme is a good guess.
  }
  const show = () => {
    const theme = chosen === "system" ? (night.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = theme;
    // The browser's own bar goes along.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = theme === "dark" ? "#12162a" : "#f1eee6";
  };
  night.addEventListener("change", show);
  globalThis.chooseTheme = (theme) => {
    chosen = theme;
    show();
    try {
      localStorage.setItem(key, theme);
    } catch {
      // Only the first paint of the next visit misses it.
    }
  };
  show();
})();
