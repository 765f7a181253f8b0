// «Copiar»: puts an answer with its sources into the clipboard and says so. Where the browser refuses, the
// text is shown selected, to be copied by hand.
"use strict";
{
  const COPY = "a.art-copy";
  const DONE = "Respuesta copiada, con sus fuentes.";
  const LOST = "No se ha podido preparar el texto de la respuesta: recargue la página y vuelva a intentarlo.";
  const SAID_MS = 4000;
  let hide = 0;

  // There from the start: a screen reader announces what changes in a region that it knows.
  const said = document.createElement("p");
  said.id = "art-said";
  said.setAttribute("role", "status");
  document.addEventListener("DOMContentLoaded", () => document.body.append(said));

  function tell(text) {
    clearTimeout(hide);
    said.textContent = text;
    hide = setTimeout(() => { said.textContent = ""; }, SAID_MS);
  }

  async function textOf(button) {
    const reply = await fetch(button.href, { cache: "no-store" });
    if (!reply.ok || reply.redirected) throw new Error(`status ${reply.status}`);
    return reply.text();
  }

  // The text is promised at once: a browser takes nothing into the clipboard long after the click.
  function put(text) {
    if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") return Promise.reject(new Error("none"));
    const blob = text.then((one) => new Blob([one], { type: "text/plain" }));
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  }

  function offer(text, button) {
    const dialog = document.createElement("dialog");
    dialog.id = "art-copy";
    dialog.setAttribute("aria-label", "Copiar respuesta");
    dialog.innerHTML = "<p>El navegador no deja copiar desde aquí. El texto está seleccionado: cópielo con Ctrl+C "
      + '(⌘C en Mac).</p><textarea readonly aria-label="Respuesta con sus fuentes"></textarea>'
      + '<form method="dialog"><button>Cerrar</button></form>';
    dialog.style.colorScheme = getComputedStyle(document.querySelector(".stApp") ?? document.body).colorScheme;
    const box = dialog.querySelector("textarea");
    box.value = text;
    dialog.addEventListener("close", () => { dialog.remove(); button.focus({ preventScroll: true }); });
    document.body.append(dialog);
    dialog.showModal();
    box.focus();
    box.select();
    box.scrollTop = 0;
  }

  async function copy(button) {
    const text = textOf(button);
    try {
      await put(text);
      tell(DONE);
    } catch {
      text.then((one) => offer(one, button), () => tell(LOST));
    }
  }

  const pressed = (event) => event.target.closest?.(COPY);

  document.addEventListener("click", (event) => {
    const button = pressed(event);
    if (!button || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    copy(button);
  });
  // A link that is said to be a button is pressed with the space bar too.
  document.addEventListener("keydown", (event) => {
    const button = pressed(event);
    if (!button || event.key !== " ") return;
    event.preventDefault();
    copy(button);
  });
}
