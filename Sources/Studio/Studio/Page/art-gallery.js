// The gallery of pictures (TF-041).

import { badge, remove, styleOf } from "./art-result.js";
import { api } from "./api.js";
import { askConfirmation } from "./dialogs.js";
import { button, count, fill, focusHeading, make, roundButton, when } from "./dom.js";
import { doodle, icon } from "./icons.js";
import { go } from "./router.js";
import { speak } from "./toasts.js";

/** What was searched for; it outlives the screen. */
let query = "";

/** Shows the artworks of a state, newest first; `reload` loads them again. */
export function openArtGallery(host, state, reload) {
  const list = make("ul", { class: "art-grid" });
  const search = make("input", {
    class: "input", type: "search", placeholder: "Search", value: query, autocomplete: "off",
    "aria-label": "Search by what is on a picture, or by its style",
    oninput: () => {
      query = search.value;
      show();
      speak(`${count(list.children.length, "picture")} found.`);
    },
  });

  const isFound = (artwork) => {
    const wanted = query.trim().toLowerCase();
    const words = [styleOf(state, artwork).name, ...artwork.names, ...artwork.labels];
    return words.some((word) => word.toLowerCase().includes(wanted))
      || wanted === "favorite" && artwork.isFavorite;
  };

  async function erase(artwork) {
    if (!(await remove(artwork, reload))) return;
    state.artworks = state.artworks.filter((each) => each !== artwork);
    show();
    focusHeading();
  }

  function item(artwork) {
    const style = styleOf(state, artwork);
    const on = artwork.names.length > 0 ? `, on it: ${artwork.names.join(", ")}` : "";
    return make("li", { class: "art-item" },
      make("a", {
        class: "art-tile", href: `#art/picture/${artwork.id}`, data: { key: artwork.id },
        // A long press on a screen that is touched, or the menu key.
        oncontextmenu: async (event) => {
          event.preventDefault();
          const body = "The picture will be deleted.";
          if (await askConfirmation({ body })) erase(artwork);
        },
      },
        make("img", {
          src: api.artAddress(artwork.id, "thumbnail"), alt: `${style.name}${on}`, loading: "lazy",
          width: "256", height: "256", decoding: "async",
        }),
        badge(style),
        make("span", { class: "art-date soft", text: when(artwork.created) }),
        artwork.isFavorite
          && make("span", { class: "art-heart", role: "img", text: "♥", "aria-label": "Favorite" })),
      roundButton(icon("delete"), `Delete ${style.name}, ${when(artwork.created)}`,
        () => erase(artwork), { class: "round-button art-delete" }));
  }

  function show() {
    const found = state.artworks.filter(isFound);
    const isNew = state.artworks.length === 0;
    number.textContent = isNew ? "" : `${count(state.artworks.length, "picture")} so far`;
    fill(list, found.map(item));
    empty.hidden = found.length > 0;
    search.parentElement.hidden = isNew;
    fill(empty, doodle("empty"), make("h2", {
      text: isNew ? "No art yet! Start drawing to create your first masterpiece."
        : "No picture shows that",
    }), isNew ? button("is-primary", "Start drawing", () => go("art"))
      : button("is-quiet", "Show all", () => {
        search.value = query = "";
        show();
        search.focus();
      }));
  }

  const empty = make("div", { class: "none" });
  const number = make("p", { class: "screen-lead" });
  fill(host,
    make("div", { class: "screen-head" },
      make("h1", { class: "screen-title is-seen", text: "Gallery" }),
      number,
      make("div", { class: "screen-tools" }, button("is-primary", "Draw", () => go("art")))),
    make("label", { class: "template-search" }, icon("search"), search), list, empty);
  show();
}
