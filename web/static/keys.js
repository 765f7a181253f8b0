// Ctrl+K (⌘K): to the box that opens an article, or to the search of the catalogue; elsewhere, to the catalogue.
"use strict";
{
  const BOXES = [".st-key-lookup input", ".st-key-catalogue-search input"];

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const shown = BOXES.map((one) => document.querySelector(one)).find((box) => box?.offsetParent);
    if (shown) {
      shown.focus();
      shown.select();
    } else {
      location.assign("/normativa");
    }
  });
}
