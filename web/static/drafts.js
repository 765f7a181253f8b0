// Keeps what is being written in the chat box while a session ends and is opened again in the same tab,
// and says so when it ends. The text stays in this tab (sessionStorage) and goes to nobody but its writer.
"use strict";

const DRAFT = "articulado-draft";
const BOX = '[data-testid="stChatInputTextArea"]';
const SENT_BY = '[data-testid="stChatInputSubmitButton"]';
const TICK_MS = 500;
const CHECK_MS = 20_000; // how old what is known of the session may be while somebody writes
const LOST_MS = 4_000; // a question that the page has not taken up by then goes back into the box

let person = null; // opaque; null until the server has said who is signed in
let checkedAt = 0;
let checking = false;
let quietSince = 0;

// The draft: {text, person, sent, shown}. `sent`: it was submitted; `shown`: how often the page showed that
// same question already, so that an earlier one is not taken for it.
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT));
  } catch {
    return null;
  }
}

function write(draft) {
  try {
    if (draft === null) sessionStorage.removeItem(DRAFT);
    else sessionStorage.setItem(DRAFT, JSON.stringify(draft));
  } catch {
    // Storage is full or refused: the text is only in the box, as it would be without this file.
  }
}

// What a stored text loses (an e-mail has soft hyphens, an emoji its variation): web/front.py writes it here.
const HIDDEN = /[__HIDDEN__]/gu;
const plain = (text) => text.replace(HIDDEN, "").replace(/\s+/g, " ").trim();

// Its paragraphs, also those that a long question keeps folded, which innerText leaves out.
const said = (question) => [...question.querySelectorAll("p")].map((one) => one.textContent).join(" ");

function timesShown(text) {
  const wanted = plain(text);
  return [...document.querySelectorAll(".art-question")].filter((one) => plain(said(one)) === wanted).length;
}

function fill(box, text) {
  // React notices a value that was set through the element's own setter and announced as typed.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

async function check() {
  if (checking) return;
  checking = true;
  checkedAt = Date.now();
  try {
    const reply = await fetch("/sesion", { cache: "no-store", credentials: "same-origin" });
    if (reply.status === 401) ended();
    else if (reply.ok) alive((await reply.json()).person);
  } catch {
    // No server: Streamlit says so itself.
  } finally {
    checking = false;
  }
}

function alive(who) {
  const draft = read();
  if (draft !== null && draft.person !== null && draft.person !== who) write(null);
  else if (draft !== null) write({ ...draft, person: who });
  person = who;
  // Signed in again in another tab: this one goes on from there.
  if (document.querySelector("#art-banner, .art-ended") !== null) location.reload();
}

function ended() {
  if (document.querySelector("#art-banner, .art-ended") !== null) return;
  const banner = document.createElement("div");
  banner.id = "art-banner";
  banner.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = "Su sesión ha caducado. Lo que estaba escribiendo se conserva.";
  const link = document.createElement("a");
  link.textContent = "Volver a entrar";
  link.href = "/acceso?next=" + encodeURIComponent(location.pathname + location.search);
  banner.append(text, link);
  document.body.append(banner);
}

function submitted() {
  const draft = read();
  if (draft !== null && !draft.sent) write({ ...draft, sent: true, shown: timesShown(draft.text) });
}

function settle() {
  const draft = read();
  if (draft === null || person === null || draft.person !== person) return;
  if (draft.sent && timesShown(draft.text) > draft.shown) {
    write(null);
    return;
  }
  const box = document.querySelector(BOX);
  const quiet = document.querySelector('.stApp[data-test-script-state="notRunning"]') !== null;
  if (!quiet || box === null || box.disabled || box.value !== "") {
    quietSince = 0;
    return;
  }
  quietSince ||= Date.now();
  if (draft.sent && Date.now() - quietSince < LOST_MS) return;
  fill(box, draft.text);
  write({ ...draft, sent: false });
}

document.addEventListener("input", (event) => {
  if (!event.isTrusted || !event.target.matches?.(BOX)) return;
  const text = event.target.value;
  write(text.trim() === "" ? null : { text, person, sent: false });
  if (Date.now() - checkedAt > CHECK_MS) check();
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches?.(BOX)) submitted();
}, true);

document.addEventListener("click", (event) => {
  if (event.target.closest?.(SENT_BY)) submitted();
  // Whoever signs out leaves nothing behind.
  if (event.target.closest?.('a[href^="/salir"]')) write(null);
}, true);

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") check();
});

let connection = "";
setInterval(() => {
  const now = document.querySelector(".stApp")?.dataset.testConnectionState ?? "";
  if (connection === "CONNECTED" && now !== connection) check();
  connection = now;
  settle();
}, TICK_MS);

check();
