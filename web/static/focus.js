// Gives the focus back to the chat box once it can be written in again: it is closed while an answer is
// under way, and the browser then leaves whoever works with the keyboard at the top of the page.
"use strict";
{
  const BOX = '[data-testid="stChatInputTextArea"]';
  const ASKS = [
    BOX,
    '[data-testid="stChatInputSubmitButton"]',
    ".st-key-examples button",
    '[class*="st-key-again-"] button',
    '[class*="st-key-stop-"] button',
  ].join();

  let asked = false;

  const asks = (event) => Boolean(event.target.closest?.(ASKS));

  function giveBack() {
    // With a finger, a focused box opens the keyboard over the answer.
    if (!asked || document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return;
    const box = document.querySelector(BOX);
    if (box !== null && !box.disabled) box.focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && asks(event)) asked = true;
  }, true);
  document.addEventListener("pointerdown", (event) => { asked = asks(event); }, true);
  document.addEventListener("click", (event) => { if (asks(event)) asked = true; }, true);
  document.addEventListener("focusin", (event) => { if (!asks(event)) asked = false; }, true);

  new MutationObserver(giveBack).observe(document.documentElement, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"],
  });
}
