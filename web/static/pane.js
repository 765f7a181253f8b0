// The reading pane: the mark of a citation opens its article beside the answer, at the quoted words. Where there
// is room it opens by itself at the first source of the last answer, until the reader closes it.
// Without this script, or when the text cannot be had, the mark leads to the page of the article.
"use strict";
{
  const RELATED = ".art-related";
  const CHIP = `a:is(.art-chip, ${RELATED})[data-text]`;
  const SHOWN = 400; // characters of the quotations in a tooltip
  const WRITES = "input, textarea, [contenteditable=true]";
  const ROOMY = matchMedia("(min-width: 1200px)");
  const CLOSED = "articulado-pane-closed"; // kept by the tab
  let pane = null;
  let open = null;     // { href, text } of the mark whose article is shown
  let asked = 0;
  let pressed = 0;     // the turn of a mark that the reader pressed, while its text is on its way
  let offered = null;  // text of the mark that was opened by itself, last

  const chips = (inside) => [...inside.querySelectorAll(CHIP)];
  const same = (chip) => open && chip.dataset.text === open.text;
  const current = () => open && chips(document).find(same);

  function built() {
    if (pane) return pane;
    pane = document.createElement("aside");
    pane.id = "art-pane";
    pane.setAttribute("aria-label", "Texto de la fuente citada");
    pane.innerHTML = '<div class="art-pane-bar"><button type="button" data-go="-1" aria-label="Cita anterior" title="Cita anterior (←)">←</button>'
      + '<button type="button" data-go="1" aria-label="Cita siguiente" title="Cita siguiente (→)">→</button>'
      + '<span></span><a class="art-pane-page">Abrir su página</a>'
      + '<button type="button" data-close aria-label="Cerrar" title="Cerrar (Esc)">✕</button></div><div class="art-pane-text stHtml"></div>';
    pane.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.go) step(Number(button.dataset.go));
      else if (button && "close" in button.dataset) dismiss();
    });
    document.body.append(pane);
    return pane;
  }

  // Distinct sources of the answer that the open mark stands in, in the order of the text.
  function around() {
    const chip = current();
    const answer = chip?.closest(`[data-testid="stChatMessage"], .art-relations`) ?? document;
    const kind = chip?.matches(RELATED);
    const alike = (chip ? chips(answer) : []).filter((one) => one.matches(RELATED) === kind);
    const all = alike.filter((one, place) => alike.findIndex((other) => other.dataset.text === one.dataset.text) === place);
    return [all, all.findIndex(same)];
  }

  function step(by) {
    const [all, place] = around();
    if (all.length > 1) show(all[(place + by + all.length) % all.length]);
  }

  // Of the last answer with sources, the first; a pane that the reader has moved elsewhere stays there.
  function offer() {
    if (!ROOMY.matches || pressed || sessionStorage.getItem(CLOSED) || (open && open.text !== offered)) return;
    const answers = [...document.querySelectorAll('[data-testid="stChatMessage"]')].filter((one) => one.querySelector(CHIP));
    const first = answers.at(-1)?.querySelector(CHIP);
    if (!first || first.dataset.text === offered) return;
    offered = first.dataset.text;
    show(first, false);
  }

  async function show(chip, wanted = true) {
    const { href, dataset: { text } } = chip;
    const turn = ++asked;
    let reply, body;
    if (wanted) {
      pressed = turn;
      sessionStorage.removeItem(CLOSED);
    }
    chip.setAttribute("aria-busy", "true"); // a scanned page takes a while
    try {
      reply = await fetch(text);
      body = await reply.text();
    } catch {
      reply = null;
    }
    chip.removeAttribute("aria-busy");
    if (turn === pressed) pressed = 0;
    if (turn !== asked || !(wanted || chip.isConnected)) return;
    if (!reply || !(reply.ok || reply.status === 404) || reply.redirected) {
      if (wanted) location.assign(href);
      return;
    }
    open = { href, text };
    const box = built();
    box.style.colorScheme = getComputedStyle(document.querySelector(".stApp") ?? document.body).colorScheme;
    // Markup of our own server, which escapes every text that it puts into it.
    box.querySelector(".art-pane-text").innerHTML = body;
    box.querySelector(".art-pane-page").href = href;
    const [all, place] = around();
    const name = /^\d+$/.test(chip.textContent) ? "Fuente" : `${chip.textContent} ·`;
    box.querySelector(".art-pane-bar span").textContent = `${name} ${place + 1} de ${all.length}`;
    for (const one of box.querySelectorAll("[data-go]")) one.disabled = all.length < 2;
    document.documentElement.classList.add("art-reading");
    mark();
    const title = box.querySelector(".art-pane-title") ?? box.querySelector("button");
    if (wanted) title.focus({ preventScroll: true });
    const marked = box.querySelector(".art-sheet") ? ".art-sheet mark" : "mark";
    const sheet = box.querySelector(".art-pane-text");
    const below = (box.querySelector(marked) ?? title).getBoundingClientRect().top - sheet.getBoundingClientRect().top;
    if (below > sheet.clientHeight / 2) sheet.scrollTop += below - sheet.clientHeight / 3;
  }

  function mark() {
    for (const chip of chips(document)) {
      if (same(chip)) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    }
  }

  function dismiss() {
    sessionStorage.setItem(CLOSED, "1");
    close(true);
  }

  function close(back) {
    const chip = back ? current() : null;
    open = null;
    asked += 1;
    pane?.remove();
    pane = null;
    document.documentElement.classList.remove("art-reading");
    mark();
    chip?.focus({ preventScroll: true });
  }

  // The words of the quotations stand once in the page: in the address of the text.
  function explain(event) {
    const chip = event.target.closest?.(CHIP);
    if (!chip || chip.title || chip.matches(RELATED)) return;
    const words = new URL(chip.dataset.text, location.origin).searchParams.getAll("q").join(" (…) ");
    const told = chip.getAttribute("aria-label") ?? "";
    const name = told.split(": ").slice(1).join(": ") || chip.textContent;
    chip.title = words ? `${name}: «${words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words}»` : name;
  }
  document.addEventListener("pointerover", explain, true);
  document.addEventListener("focusin", explain, true);

  document.addEventListener("click", (event) => {
    const chip = event.target.closest?.(CHIP);
    if (!chip || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    show(chip);
  }, true);

  document.addEventListener("keydown", (event) => {
    if (!open || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(WRITES)) return;
    if (event.key === "Escape") dismiss();
    else if (event.key === "ArrowLeft" && pane.contains(event.target)) step(-1);
    else if (event.key === "ArrowRight" && pane.contains(event.target)) step(1);
  });

  // Streamlit draws answers again, and other pages: the mark is another element then, or gone.
  let due = 0;
  new MutationObserver(() => {
    clearTimeout(due);
    due = setTimeout(() => {
      if (open && !current()) close(false);
      else if (open) mark();
      offer();
    }, 400);
  }).observe(document.documentElement, { subtree: true, childList: true });
}
