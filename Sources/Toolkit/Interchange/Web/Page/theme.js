// Sets the theme before the first paint. The theme is one of the server's settings; the copy in
// local storage is used until those are loaded.
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
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.content = theme === "dark" ? "#12162a" : "#f1eee6";
    }
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
