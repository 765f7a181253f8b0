// What the person has chosen in «Ajustes» (window.articulado, of /preferencias): the theme, before Streamlit
// reads it, and the notice of an ended answer in the title of the tab. The page «Ajustes» tells of each change.
"use strict";
{
  // Where Streamlit keeps the theme of a browser, and its names for them (CACHED_THEME_VERSION in its bundle).
  const KEPT = `stActiveTheme-${location.pathname}-v2`;
  const NAMES = { system: "System", light: "Light", dark: "Dark" };
  const RELOADED = "articulado-theme";
  const AGAIN = "articulado-theme-focus";
  const CHOICE = '.st-key-chosen-theme [aria-checked="true"]';
  const ENDED = "✔ Respuesta terminada · Articulado";
  const chosen = window.articulado ??= { theme: "system", shortcuts: true, notice: "page" };

  function kept(store, name, value) {
    try {
      if (value === undefined) return store.getItem(name);
      store.setItem(name, value);
    } catch {
      // Storage is refused: the theme is that of the system.
    }
    return null;
  }

  kept(localStorage, KEPT, JSON.stringify(NAMES[chosen.theme] ?? NAMES.system));

  function take(told) {
    const { theme, shortcuts, notice } = told.dataset;
    chosen.shortcuts = shortcuts === "true";
    chosen.notice = notice;
    if (theme === chosen.theme || kept(sessionStorage, RELOADED) === theme) return;
    chosen.theme = theme;
    kept(sessionStorage, RELOADED, theme); // once: whatever the server then says
    kept(sessionStorage, AGAIN, "yes");
    location.reload();
  }

  // The choice of a theme loads the page again: whoever works with the keyboard goes on from there.
  function refocus() {
    const choice = document.querySelector(CHOICE);
    if (choice === null || kept(sessionStorage, AGAIN) !== "yes") return;
    kept(sessionStorage, AGAIN, "");
    choice.focus();
  }

  let live = false;
  let ended = false;

  function watch() {
    const now = document.querySelector(".art-stages") !== null;
    const over = (live && !now) || document.querySelector(".st-key-answers-ended") !== null;
    live = now;
    if (!document.hidden || chosen.notice !== "tab") return;
    ended ||= over;
    if (ended && document.title !== ENDED) document.title = ENDED;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !ended) return;
    ended = false;
    document.title = "Articulado";
  });

  new MutationObserver(() => {
    const told = document.querySelector(".art-preferences");
    if (told !== null) {
      refocus();
      take(told);
    }
    watch();
  }).observe(document.documentElement, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-theme", "data-shortcuts", "data-notice"],
  });
}
