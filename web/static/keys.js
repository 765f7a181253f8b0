// Shortcuts, unless the person has switched them off in «Ajustes». Ctrl+K (⌘K): to the box that opens an article,
// or to the search of the catalogue; elsewhere, to the catalogue. «/»: to the box of the question. «n»: a new
// conversation. «?»: their list. A single key does nothing while somebody writes or chooses in a box.
"use strict";
{
  const BOXES = ".st-key-lookup input, .st-key-catalogue-search input";
  const QUESTION = '[data-testid="stChatInputTextArea"]';
  const NEW = ".st-key-new button";
  const WRITING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"], '
    + '[role="spinbutton"], [role="dialog"] *, dialog *';

  const seen = (selector) => [...document.querySelectorAll(selector)].find((one) => one.offsetParent);

  function reach(selector, act, elsewhere) {
    const shown = seen(selector);
    if (shown) act(shown);
    else location.assign(elsewhere);
  }

  function find(box) {
    box.focus();
    box.select();
  }

  const SINGLE = {
    "/": () => reach(QUESTION, (box) => box.focus(), "/"),
    "n": () => reach(NEW, (button) => button.click(), "/"),
    "?": () => location.assign("/settings"),
  };

  document.addEventListener("keydown", (event) => {
    if (window.articulado?.shortcuts === false || event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key !== "k" || event.shiftKey) return;
      event.preventDefault();
      reach(BOXES, find, "/normativa");
      return;
    }
    if (!Object.hasOwn(SINGLE, key) || event.repeat || event.target.closest?.(WRITING)) return;
    event.preventDefault();
    SINGLE[key]();
  });
}
