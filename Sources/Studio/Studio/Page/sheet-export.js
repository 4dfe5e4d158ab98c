// Exports the playground's sheet as a picture, on paper, or as a log for `drawml replay`.

import { api } from "./api.js";
import { button, make } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { icon } from "./icons.js";
import { sheetPNG, sheetSVG, sheetSVGText } from "./sheet-picture.js";
import { showError, toast } from "./toasts.js";

/** Saves a file. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  // Not at once: the download begins later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function copy(canvas) {
  try {
    // Given as a promise, which some browsers want right after the click.
    const item = new ClipboardItem({ "image/png": sheetPNG(canvas) });
    await navigator.clipboard.write([item]);
    toast("The picture is copied.", { kind: "good" });
  } catch (error) {
    showError(error, "Couldn’t copy the picture.");
  }
}

/** Offers the exports of a `PlaygroundCanvas`'s sheet. */
export function openExport(canvas, playground) {
  const act = (content, run) => button("", content, async () => {
    dialog.close();
    try {
      await run();
    } catch (error) {
      showError(error, "Couldn’t make the picture.");
    }
  });
  const svg = () => new Blob([sheetSVGText(canvas)], { type: "image/svg+xml" });
  const dialog = openDialog({
    title: "Save the sheet",
    kind: "is-small",
    body: [
      make("div", { class: "export-ways" },
        act([icon("export"), "Picture (PNG)"],
          async () => download(await sheetPNG(canvas), "drawml-sheet.png")),
        act([icon("export"), "Drawing (SVG)"], () => download(svg(), "drawml-sheet.svg")),
        // Browsers have no clipboard for pages of other machines without encryption.
        navigator.clipboard && globalThis.ClipboardItem
          && act("Copy the picture", () => copy(canvas)),
        act("Print", () => print()),
        playground && make("a", {
          class: "button", href: api.logAddress(playground), download: "",
          onclick: () => dialog.close(),
        }, icon("export"), "How it was drawn")),
      make("p", {
        class: "soft", text: "“How it was drawn” is a file that “drawml replay” plays again.",
      }),
    ],
  });
}

/** Prints the sheet instead of the screen, until `signal` aborts. */
export function printSheet(canvas, signal) {
  let page = null;
  const put = () => {
    page?.remove();
    page = make("div", { class: "print-sheet" }, sheetSVG(canvas));
    document.body.append(page);
  };
  const take = () => page?.remove();
  addEventListener("beforeprint", put, { signal });
  addEventListener("afterprint", take, { signal });
  signal.addEventListener("abort", take);
}
