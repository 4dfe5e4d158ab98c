// A picture that was made of a sketch (TF-040).

import { Sketch } from "./art-sketch.js";
import { api } from "./api.js";
import { button, decorativeEmoji, fill, make, roundButton, setStyle, when } from "./dom.js";
import { icon } from "./icons.js";
import { go } from "./router.js";
import { showError, toast } from "./toasts.js";

/** Pixels of a shared picture's watermark, as a share of its side. */
const watermarkShare = 0.028;

/**
 * Shows an artwork.
 * @param {HTMLElement} host
 * @param {object} state What `api.art` answers.
 * @param {object} artwork
 * @param {(sketch: Sketch) => void} take Makes a sketch the one on the sheet.
 */
export function openArtResult(host, state, artwork, take) {
  const style = styleOf(state, artwork);
  const picture = api.artAddress(artwork.id, "picture");
  // Files of one style do not have one name.
  const name = `${artwork.style} ${artwork.created.slice(0, 19).replaceAll(":", "")}.png`;
  const change = async (changes) => {
    try {
      Object.assign(artwork, await api.changeArtwork(artwork.id, changes));
    } catch (error) {
      showError(error);
    }
    showMarks();
  };
  const marks = make("div", { class: "art-marks" });
  /** The favorite's heart and the stars. */
  function showMarks() {
    const { isFavorite, stars } = artwork;
    fill(marks,
      button(isFavorite ? "is-primary" : "is-quiet",
        [make("span", { "aria-hidden": "true", text: isFavorite ? "♥" : "♡" }), "Favorite"],
        () => change({ isFavorite: !isFavorite }),
        { "aria-pressed": String(isFavorite), data: { key: "favorite" } }),
      make("div", { class: "art-stars", role: "group", "aria-label": "How much you like it" },
        [1, 2, 3, 4, 5].map((number) => make("button", {
          class: `art-star${number <= (stars ?? 0) ? " is-full" : ""}`, type: "button",
          "aria-label": `${number} of 5 stars`, "aria-pressed": String(number === stars),
          data: { key: `star ${number}` },
          onclick: () => change({ stars: number === stars ? null : number }),
        }, "★"))));
  }

  fill(host,
    make("div", { class: "screen-head" },
      make("h1", { class: "screen-title is-seen" }, "Ta-da!"),
      make("p", { class: "screen-lead" }, badge(style), " ", makerWords(artwork),
        artwork.names.length > 0 && ` On it: ${artwork.names.join(", ")}.`),
      make("div", { class: "screen-tools" },
        button("is-quiet", "Gallery", () => go("art", "gallery")))),
    make("div", { class: "art-result" },
      comparison(artwork, style),
      make("div", { class: "art-actions" },
        make("a", { class: "button is-primary", href: picture, download: name },
          icon("import"), "Save"),
        button("", [icon("export"), "Share"], () => share(picture, name)),
        button("", "Try Another Style", async () => {
          try {
            take(Sketch.of(await api.sketchOf(artwork.id)));
            go("art", "styles");
          } catch (error) {
            showError(error);
          }
        }),
        button("", "New Drawing", () => {
          take(null);
          go("art");
        }),
        marks,
        button("is-quiet is-danger", [icon("delete"), "Delete"], async () => {
          if (await remove(artwork)) go("art", "gallery");
        }))));
  showMarks();
}

/** The style of an artwork; one that this program does not know has its id for a name. */
export function styleOf(state, artwork) {
  return state.styles.find(({ id }) => id === artwork.style)
    ?? { name: artwork.style, emoji: "🖼️", color: "#83869b" };
}

export function badge({ name, emoji, color }) {
  return make("span", { class: "art-badge", style: { "--card": color } },
    decorativeEmoji(emoji), ` ${name}`);
}

function makerWords({ maker, created }) {
  return `Made ${maker ? `by ${maker}` : "on this computer"}, ${when(created)}.`;
}

/** Deletes an artwork, and offers to undo that. Resolves to whether it is gone. */
export async function remove(artwork, onchange = () => {}) {
  try {
    await api.deleteArtwork(artwork.id);
  } catch (error) {
    showError(error);
    return false;
  }
  toast("Picture deleted.", {
    action: "Undo",
    onaction: async () => {
      try {
        await api.restoreArtwork(artwork.id);
        onchange();
        if (location.hash === "#art/gallery") go("art", "gallery");
      } catch (error) {
        showError(error);
      }
    },
  });
  return true;
}

/** The picture over its sketch: a slider shows more of the one or of the other. */
function comparison(artwork, style) {
  const image = (kind, look, alt) => make("img", {
    class: look, src: api.artAddress(artwork.id, kind), alt, draggable: "false",
  });
  const slider = make("input", {
    class: "art-slider", type: "range", min: "0", max: "100", step: "1", value: "0",
    "aria-label": "How much of the sketch is shown",
    oninput: () => show(),
  });
  const frame = make("div", { class: "art-compare" },
    image("before", "art-before", "The sketch"),
    image("picture", "art-after", `The sketch as ${style.name}`),
    make("span", { class: "art-handle", "aria-hidden": "true" }), slider);
  const show = () => {
    setStyle(frame, { "--before": `${slider.value}%` });
    slider.setAttribute("aria-valuetext", `${slider.value} % sketch`);
  };
  show();
  return frame;
}

/** Shares a picture with its watermark; where the browser cannot, copies it. */
async function share(address, name) {
  try {
    const file = new File([await watermarked(address)], name, { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], title: "Made with DrawML" });
      return;
    }
    if (await copied(file)) {
      toast("The picture is copied.", { kind: "good" });
      return;
    }
    // Outside of secure contexts browsers do neither.
    const link = make("a", { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    toast("The picture is saved, to be shared from there.", { kind: "good" });
  } catch (error) {
    if (error.name === "AbortError") return;
    const detail = "Save it, and share the file.";
    toast("Couldn’t share the picture.", { kind: "bad", detail, isOfScreen: true });
  }
}

/** Copies a picture to the clipboard; resolves to whether the browser does that. */
async function copied(file) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": file })]);
    return true;
  } catch {
    return false;
  }
}

/** The picture as PNG with a small line in its corner. */
async function watermarked(address) {
  const image = make("img", { src: address });
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const size = Math.round(Math.min(width, height) * watermarkShare);
  context.font = `700 ${size}px "DrawML Sans", sans-serif`;
  Object.assign(context, { textAlign: "right", textBaseline: "bottom", lineJoin: "round" });
  const place = ["Made with DrawML", width - size, height - size * 0.8];
  // Readable on any picture.
  context.strokeStyle = "rgb(255 255 255 / 0.85)";
  context.lineWidth = size / 4;
  context.strokeText(...place);
  context.fillStyle = "rgb(35 42 77 / 0.85)";
  context.fillText(...place);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
}
