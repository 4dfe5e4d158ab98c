// Art: sketches in color become pictures (TF-001 to TF-041). #art is the sheet; #art/styles,
// #art/picture/… and #art/gallery follow it.

import { openArtGallery } from "./art-gallery.js";
import { openArtResult } from "./art-result.js";
import { openArtSheet } from "./art-sheet.js";
import { Sketch } from "./art-sketch.js";
import { openArtStyles } from "./art-styles.js";
import { api } from "./api.js";
import { fill, make } from "./dom.js";
import { coalesce, loadFailure } from "./refresh.js";
import { go } from "./router.js";

/** The sketch on the sheet. It outlives the screen. */
let sketch = null;

/** Puts another sketch on the sheet, or none; undo brings the one before back. */
function take(next) {
  if (next) sketch.change(next.now);
  else if (!sketch.isEmpty) sketch.clear();
}

export const artScreen = {
  title: "Art",

  open(host, [name = "", id], signal) {
    sketch ??= Sketch.kept();
    host.classList.toggle("is-sheet", name === "");
    if (name === "") {
      openArtSheet(host, sketch, signal);
      return;
    }
    fill(host, make("h1", { class: "unseen", text: "Art" }));
    if (name === "styles" && sketch.isEmpty) {
      go("art");
      return;
    }
    const load = coalesce(async () => {
      const state = await api.art();
      if (signal.aborted) return;
      if (name === "styles") openArtStyles(host, state, sketch, signal);
      else if (name === "picture") openArtResult(host, state, await api.artwork(id), take);
      else openArtGallery(host, state, load);
      host.querySelector("h1").setAttribute("tabindex", "-1");
    }, (error) => {
      // It was deleted meanwhile.
      if (error.status === 404 && name === "picture") {
        location.replace("#art/gallery");
        return;
      }
      fill(host, make("h1", { class: "screen-title", text: "Art" }),
        make("ul", {}, loadFailure(error, load)));
    });
    load();
  },
};
