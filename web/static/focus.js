// Once a question is answered: gives the focus back to the chat box, which is closed while an answer is under
// way (the browser then leaves whoever works with the keyboard at the top of the page), and shows the answer
// from its beginning, under its question, since the page has followed the draft to its end. Tells the stylesheet the step of the
// first steps that is shown.
"use strict";
{
  const BOX = '[data-testid="stChatInputTextArea"]';
  const EDITOR = '[class*="st-key-edited-text-"] textarea';
  const ASKS = [
    BOX,
    '[data-testid="stChatInputSubmitButton"]',
    ".st-key-examples button",
    ".st-key-follow-ups button",
    '[class*="st-key-again-"] button',
    '[class*="st-key-edited-"] button',
    '[class*="st-key-stop-"] button',
  ].join();
  const EDITS = '[class*="st-key-edit-"] button';
  const CHANGES = ['[class*="st-key-unedited-"] button', '[class*="st-key-version-"] button'].join();
  const STAGES = ".art-stages";
  const FRAME = '[data-testid="stAppScrollToBottomContainer"]';
  const SCROLLS = ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"];
  const REST_MS = 150;
  const PATIENCE_MS = 30000;

  let wanted = ""; // where the focus goes once what was pressed is gone
  let round = null; // since a question was asked: { before, at, live, over, elsewhere, shown, until, place, height, rests }
  let moved = 0;
  let greeted = false;

  const within = (event, controls) => Boolean(event.target.closest?.(controls));

  function destination(event) {
    if (within(event, EDITS)) return EDITOR;
    return within(event, ASKS) || within(event, CHANGES) ? BOX : "";
  }

  function giveBack() {
    // With a finger, a focused box opens the keyboard over the answer.
    if (!wanted || document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return;
    const box = document.querySelector(wanted);
    if (box !== null && !box.disabled) box.focus({ preventScroll: true });
  }

  const last = () => [...document.querySelectorAll('[data-testid="stChatMessage"]')].slice(-2);
  const seen = () => last().map((one) => one.textContent).join();

  function begin() {
    round = { before: seen(), at: Date.now() };
  }

  function follow() {
    const live = document.querySelector(STAGES) !== null;
    if (live && (!round || round.over)) round = {};
    if (!round || round.over) return;
    const state = document.querySelector(".stApp")?.dataset.testScriptState;
    round.live ||= live;
    const box = document.querySelector(BOX);
    if (state !== "notRunning" || live || !box || box.disabled) return;
    // A question that was refused changes nothing; a page that is to be drawn once more has not changed yet.
    const answered = round.live || seen() !== round.before;
    round.over = answered || Date.now() - round.at > PATIENCE_MS;
    if (answered) show(round);
  }

  // A short question stays in sight above its answer.
  function read() {
    const [question, answer] = last();
    return answer && question.offsetHeight > innerHeight / 4 ? answer : question;
  }

  // Streamlit keeps a growing page at its end: only once it is at rest there does another place last, and until
  // it grows again by what comes late. A focus has it take note of the height, without which it would take this
  // for growth too.
  function show(current) {
    const frame = document.querySelector(FRAME);
    const answer = current.shown ?? read();
    current.until ??= Date.now() + PATIENCE_MS;
    if (!frame || !answer || Date.now() > current.until || current.elsewhere || current !== round) return;
    if (Date.now() - moved >= REST_MS) {
      const stays = current.rests || Math.abs(frame.scrollTop - current.place) <= 2;
      current.rests = stays && frame.scrollHeight === current.height;
      if (!current.rests) {
        frame.dispatchEvent(new FocusEvent("focus"));
        answer.scrollIntoView({ block: "start" });
        current.place = frame.scrollTop;
        current.height = frame.scrollHeight;
      }
    }
    setTimeout(() => show(current), 2 * REST_MS);
  }

  // A page without a conversation is read from its top, once: Streamlit opens every page with a chat box at its end.
  function greet() {
    if (document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning") return;
    const welcome = document.querySelector(".art-welcome");
    if (welcome && !greeted) {
      round = { shown: document.querySelector(".st-key-tour") ?? welcome, over: true };
      show(round);
    }
    greeted = welcome !== null;
  }

  // For the rules that outline what a step of the first steps is about.
  function outline() {
    const step = document.querySelector(".art-tour")?.dataset.step ?? "";
    if ((document.documentElement.dataset.tour ?? "") !== step) document.documentElement.dataset.tour = step;
  }

  // Whoever reads elsewhere by then stays there.
  const leave = () => { if (round) round.elsewhere = true; };
  document.addEventListener("wheel", leave, { capture: true, passive: true });
  document.addEventListener("touchmove", leave, { capture: true, passive: true });
  document.addEventListener("scroll", () => { moved = Date.now(); }, { capture: true, passive: true });

  document.addEventListener("keydown", (event) => {
    if (round?.over || (SCROLLS.includes(event.key) && !within(event, "input, textarea"))) leave();
    if (event.key !== "Enter" || event.shiftKey || !destination(event)) return;
    wanted = destination(event);
    if (within(event, ASKS)) begin();
  }, true);
  document.addEventListener("pointerdown", (event) => {
    wanted = destination(event);
    if (round?.over) leave(); // what is pressed must not move away under the finger
  }, true);
  document.addEventListener("click", (event) => {
    if (!destination(event)) return;
    wanted = destination(event);
    if (within(event, ASKS)) begin();
  }, true);
  document.addEventListener("focusin", (event) => { if (!destination(event)) wanted = ""; }, true);

  new MutationObserver(() => { giveBack(); follow(); greet(); outline(); }).observe(document.documentElement, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "data-test-script-state"],
  });
}
