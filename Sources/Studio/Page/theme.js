// Runs before the first paint, so that a dark room stays dark: the theme is the server's setting, and this
// copy of it only bridges the time until the settings are there.
(() => {
  let theme = "system";
  try {
    theme = localStorage.getItem("drawml.theme") ?? "system";
  } catch {
    // Storage can be forbidden; the system's theme is a good guess.
  }
  document.documentElement.dataset.theme = theme;
})();
