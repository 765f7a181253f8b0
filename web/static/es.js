// Translates the texts that Streamlit itself writes (buttons, menus, messages) into Spanish.
// It never touches what the application or its users wrote.
"use strict";

// The calendar and the dates that Streamlit writes follow the language of the browser.
for (const [name, value] of [["language", "es-ES"], ["languages", ["es-ES"]]]) {
  Object.defineProperty(navigator, name, { get: () => value });
}

const TEXTS = {
  "Add files": "Añadir archivos",
  "App pages": "Páginas",
  "Cancel": "Cancelar",
  "Chat message from assistant": "Respuesta",
  "Chat message from user": "Su consulta",
  "Choose an option": "Elija una opción",
  "Choose options": "Elija opciones",
  "Choose date": "Elegir fecha",
  "Choose date range": "Elegir fechas",
  "Clear all": "Quitar todo",
  "Clear date": "Borrar fecha",
  "Clear dates": "Borrar fechas",
  "Clear value": "Borrar",
  "Close": "Cerrar",
  "Close fullscreen": "Salir de pantalla completa",
  "Close Search": "Cerrar búsqueda",
  "Collapse sidebar": "Ocultar panel lateral",
  "Connecting": "Conectando",
  "Connection error": "Sin conexión con Articulado",
  "Copied": "Copiado",
  "Copied!": "Copiado",
  "Copy to clipboard": "Copiar",
  "Download as CSV": "Descargar en CSV",
  "Date range": "Periodo",
  "Past Week": "La última semana",
  "Past Month": "El último mes",
  "Past 3 Months": "Los últimos 3 meses",
  "Past 6 Months": "Los últimos 6 meses",
  "Past Year": "El último año",
  "Past 2 Years": "Los últimos 2 años",
  "Decrement": "Disminuir",
  "Dismiss": "Cerrar",
  "Expand sidebar": "Mostrar panel lateral",
  "Drag and drop a file here": "Suelte aquí el archivo",
  "Drag and drop directories here": "Suelte aquí las carpetas",
  "Drag and drop files here": "Suelte aquí los archivos",
  "Empty": "Vacío",
  "Feedback rating": "Valoración",
  "Fullscreen": "Pantalla completa",
  "Help": "Ayuda",
  "Increment": "Aumentar",
  "Invalid date format.": "Fecha no válida.",
  "Link to heading": "Enlace a este apartado",
  "Main menu": "Menú",
  "Next page": "Página siguiente",
  "Next month": "Mes siguiente",
  "Next Result": "Resultado siguiente",
  "No results": "Sin resultados",
  "No options to select.": "No hay opciones.",
  "Notifications": "Avisos",
  "Open": "Abrir",
  "Pagination": "Páginas",
  "Page not found": "Página no encontrada",
  "Press Enter to apply": "Pulse Intro para aplicar",
  "Press Enter to submit form": "Pulse Intro para guardar",
  "Previous page": "Página anterior",
  "Previous month": "Mes anterior",
  "Previous Result": "Resultado anterior",
  "Print": "Imprimir",
  "Request failed with status code 403": "Esta página no lo ha pedido: recárguela.",
  "Request failed with status code 413": "Demasiado grande, o sus páginas abiertas guardan ya mucho: recárguelas.",
  "Rerun": "Actualizar",
  "Running...": "En curso…",
  "Scroll tabs left": "Pestañas anteriores",
  "Scroll tabs right": "Pestañas siguientes",
  "Search": "Buscar",
  "Select...": "Elegir…",
  "Select all": "Elegir todo",
  "Selected values": "Elegidos",
  "Send message": "Enviar",
  "Settings": "Ajustes",
  "Show/hide columns": "Mostrar u ocultar columnas",
  "Sidebar": "Panel lateral",
  "Skip to main content": "Ir al contenido",
  "Stop": "Detener",
  "Stop script": "Detener",
  "System": "Sistema",
  "Light": "Claro",
  "Dark": "Oscuro",
  "Theme": "Tema",
  "Thumbs down": "No me sirve",
  "Thumbs up": "Me sirve",
  "Type to search": "Escriba para buscar",
  "Upload": "Elegir archivos",
  "Upload directories": "Elegir carpeta",
  "Use arrow keys to navigate dates. Enter to select. Escape to close.":
    "Flechas para ir de un día a otro, Intro para elegir, Escape para cerrar.",
  "Use system setting": "Según el sistema",
  "View less": "Ver menos",
  "View more": "Ver más",
  "Wide mode": "Ancho completo",
  "yyyy": "aaaa",
};

const PARTS = { day: "Día", month: "Mes", year: "Año" };
const MONTHS = {
  January: "enero", February: "febrero", March: "marzo", April: "abril", May: "mayo", June: "junio", July: "julio",
  August: "agosto", September: "septiembre", October: "octubre", November: "noviembre", December: "diciembre",
};
const MONTH = Object.keys(MONTHS).join("|");

const PATTERNS = [
  [/^Add: (.+)$/, "Usar «$1»"],
  [/^Help for (.+)$/, "Ayuda sobre $1"],
  [/^(day|month|year), (.+)$/, (_, part, of) => `${PARTS[part]}, ${translate(of)}`],
  [/^(.+) start date$/, "$1, desde"],
  [/^(.+) end date$/, "$1, hasta"],
  [/^Choose date(?: range)?, (.+)$/, "Elegir fecha, $1"],
  [/^Remove (.+)$/, "Quitar $1"],
  [/^(\d+) options? available\.$/, "Opciones: $1."],
  [new RegExp(`^(\\d+) – (${MONTH})$`), (_, number, name) => `${number}, ${MONTHS[name]}`],
  [
    new RegExp(`^Selected Date: (${MONTH}) (\\d+), (\\d+)$`),
    (_, name, day, year) => `Fecha elegida: ${day} de ${MONTHS[name]} de ${year}`,
  ],
  [/^Is Streamlit still running\?.*$/, "Articulado se ha detenido. Vuelva a iniciarlo y recargue la página."],
  [/^streamlit run yourscript\.py$/, "streamlit run app.py"],
  [/^Connection failed with status 401\.$/, "Su sesión ha terminado. Vuelva a entrar."],
  [/^Connection failed with status (\d+)\.$/, "El servidor ha respondido con un error ($1)."],
  [/^(\d+)MB per file$/, "Hasta $1 MB por archivo"],
  [/^Page (\d+)$/, "Página $1"],
  [/^(.+) files are not allowed\.$/, "No se admiten archivos $1."],
  [/^The page that you have requested does not seem to exist\..*$/, "Esa página no existe. Se muestra la principal."],
];

const ATTRIBUTES = ["aria-label", "aria-roledescription", "aria-valuetext", "title", "placeholder"];
// Streamlit makes the name of an element of its label as it is written, in Markdown.
const ESCAPED = /\\([^\w\s])/g;
// Texts of the application: anything shown by its own elements.
const OURS = '.stMarkdown, .stHtml, .stText, .stCode code, textarea, input, [data-testid="stDataFrame"] canvas';

function translate(text) {
  const key = text.trim();
  if (Object.hasOwn(TEXTS, key)) return text.replace(key, TEXTS[key]);
  const rule = PATTERNS.find(([pattern]) => pattern.test(key));
  return rule ? key.replace(rule[0], rule[1]) : text;
}

function visit(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.parentElement?.closest(OURS)) return;
    const text = translate(node.data);
    if (text !== node.data) node.data = text;
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE || node.closest(".stMarkdown, .stHtml, .stText")) return;
  for (const name of ATTRIBUTES) {
    const value = node.getAttribute(name);
    const text = value === null ? null : translate(name === "aria-label" ? value.replace(ESCAPED, "$1") : value);
    if (text !== value) node.setAttribute(name, text);
  }
  node.childNodes.forEach(visit);
}

new MutationObserver((records) => {
  for (const record of records) {
    if (record.type === "childList") record.addedNodes.forEach(visit);
    else visit(record.target);
  }
}).observe(document.documentElement, {
  subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES,
});
