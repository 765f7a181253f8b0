"""The table of operations: each row is a method of the clients, from which the other doors are made too.

Parameters are what a caller in Python gives. The decorator says where the API has the operation, which method
of `service.members.member.Member` does it, and what an assistant is told of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from articulado.clients.calls import Command, Day, OnEvent, Operation, Tool
from articulado.clients.declared import Reply_co, Sender, operation
from core.progress import OnProgress


class Operations(Sender[Reply_co]):
    """Operations of a client; each method returns one document of `service.contract`.

    Attributes:
        repeats: a question whose connection is cut goes on and is asked for once more; False: whoever leaves
            stops it.

    Raises (all methods): ApiProblem: it was refused, or failed. Unreachable: nobody answers, or not whole.
    """

    @operation(
        "GET /search",
        "law.search",
        "Fragmentos que encuentra una búsqueda, el mejor primero",
        tool=Tool(
            "Buscar en la normativa",
            "Fragmentos de la normativa laboral y de Seguridad Social española que encuentra una búsqueda, el"
            " mejor primero, en su redacción vigente un día, con su dirección oficial (ELI o BOE).",
        ),
        command=Command(
            "los fragmentos que encuentra una búsqueda, el mejor primero",
            {
                "query": ("BÚSQUEDA", "palabras o pregunta"),
                "mode": ("", "por palabras, por vectores o por ambos"),
                "limit": ("", "máximo de resultados, de 1 a 100 (10)"),
                "collection": ("", "solo esa colección"),
            },
        ),
    )
    def search(
        self,
        query: str,
        *,
        mode: Literal["hybrid", "lexical", "semantic"] = "hybrid",
        limit: int = 10,
        collection: str | None = None,
        as_of: Day = None,
    ) -> None:
        """The fragments that a query finds, the best first; `mode` is hybrid, lexical or semantic."""

    @operation(
        "GET /articles",
        "law.article",
        "Un artículo en su redacción de un día, por su cita («art. 48 ET»)",
        reply="article",
        tool=Tool(
            "Artículo en una fecha",
            "El texto íntegro de un artículo o disposición como estaba un día, con todas sus redacciones, la"
            " norma que dio cada una, su huella SHA-256 y su dirección oficial.",
        ),
    )
    def article(self, reference: str, as_of: Day = None) -> None:
        """The article that «art. 48 ET» names, on a day; today if None."""

    @operation(
        "GET /diff",
        "law.diff",
        "Dos redacciones de un artículo, palabra por palabra",
        names={"since": "from", "until": "to"},
        tool=Tool(
            "Comparar redacciones",
            "Dos redacciones de un artículo, palabra por palabra: qué se quitó y qué se añadió.",
        ),
        command=Command(
            "compara dos redacciones de un artículo, palabra por palabra",
            {
                "article": ("ARTÍCULO", "«art. 48 ET», «da 3 LGSS»…"),
                "since": ("DÍA", "la primera; la anterior, si falta"),
                "until": ("DÍA", "la segunda; la de hoy, si falta"),
            },
        ),
    )
    def diff(self, article: str, since: Day = None, until: Day = None) -> None:
        """Two wordings of an article: of two days; by default that of today and the one before it."""

    @operation(
        "POST /verify",
        "law.verify",
        "Comprueba otra vez las citas de una respuesta guardada",
        whole="answer",
        tool=Tool(
            "Comprobar citas",
            "Comprueba letra por letra que unas palabras citadas están en la redacción del artículo que se"
            " dice. Úsela con la respuesta de «ask» o con sus propias citas antes de darlas por buenas.",
        ),
    )
    def verify(self, answer: Mapping[str, Any]) -> None:
        """The quotations of a document of `ask`, checked again."""

    @operation(
        "POST /citations",
        "law.citations",
        "Comprueba las normas, artículos, citas y sentencias de un escrito",
        tool=Tool(
            "Comprobar las citas de un escrito",
            "El estado de cada norma, artículo, cita literal y sentencia de un escrito en una fecha: vigente,"
            " modificada, derogada, inexistente, cita exacta o con diferencias. No guarda el escrito.",
            "check_citations",
        ),
    )
    def citations(self, text: str, as_of: Day = None, matter: str = "") -> None:
        """The state of each norm, provision, quotation and ruling that a brief cites."""

    @operation("POST /citations/word", "law.commented", "El Word de un escrito, comentado", reply="file")
    def commented(self, name: str, content: str, as_of: Day = None, matter: str = "") -> None:
        """The check of a brief in Word, whose bytes are base64, and its file with comments in the margin."""

    @operation(
        "POST /certificates/verify",
        "law.given_certificate",
        "Comprueba un certificado de fuentes y si un texto lo nombra",
        tool=Tool(
            "Comprobar un certificado de fuentes",
            "Dice si un certificado de fuentes está como lo firmó esta instalación de Articulado, y si el"
            " texto de un documento lo nombra.",
            "verify_certificate",
        ),
    )
    def certificate(self, certificate: str, text: str = "") -> None:
        """Check that this installation signed a certificate of sources as it is, and that a text names it."""

    @operation(
        "POST /ask",
        "asking.start",
        "Una respuesta con las citas comprobadas",
        tag="preguntas",
        reply="answer",
        tool=Tool(
            "Preguntar con citas comprobadas",
            "Responde una pregunta de Derecho laboral o de Seguridad Social con citas literales comprobadas,"
            " o dice que la normativa cargada no basta. Tarda de segundos a un par de minutos.",
        ),
        command=Command(
            "una respuesta con las citas comprobadas",
            {
                "question": ("PREGUNTA", "la pregunta"),
                "conversation": ("ID", "sigue una conversación; «new» abre otra"),
                "agent": ("", "deja que el modelo busque por sí mismo"),
            },
        ),
    )
    def ask(
        self,
        question: str,
        *,
        as_of: Day = None,
        agent: bool = False,
        conversation: str | None = None,
        on_event: OnEvent | None = None,
        key: str | None = None,
    ) -> None:
        """An answer with its verified citations.

        Args:
            conversation: id of one's own, or 'new'; without it the personal mode keeps nothing.
            on_event: called with the name and data of each `stage` and `text` event.
            key: repeating a question with its key gives the same answer; None makes a new one if `repeats`.
        """

    @operation(
        "GET /templates",
        "templates.listed",
        "Los modelos de escrito",
        tag="escritos",
        tool=Tool(
            "Modelos de escrito",
            "Los modelos de escrito laborales de esta instalación: nombre, título y para qué sirve cada uno.",
        ),
    )
    def templates(self) -> None:
        """The templates of briefs."""

    @operation(
        "GET /templates/{name}",
        "templates.described",
        "Un modelo de escrito, con sus datos y el estado de sus preceptos",
        tag="escritos",
        tool=Tool(
            "Datos de un modelo de escrito",
            "Los datos que pide un modelo de escrito, su plazo, el estado de hoy de cada precepto en que se"
            " apoya y sus avisos.",
        ),
    )
    def template(self, name: str) -> None:
        """A template with the data it takes and the state of its provisions today."""

    @operation(
        "POST /templates/{name}",
        "templates.filled",
        "Un escrito con estos datos, y su archivo de Word",
        tag="escritos",
        reply="file",
        tool=Tool(
            "Redactar un escrito con su modelo",
            "El texto de un escrito con los datos que se dan y «[…]» donde falta alguno; qué falta, el plazo"
            " contado y el estado de sus preceptos. No guarda los datos. No invente datos: pregúntelos.",
            "fill_template",
        ),
    )
    def fill(self, name: str, data: Mapping[str, Any]) -> None:
        """A draft of a template: its text, its term, and a Word file, whose `content` is base64."""

    @operation(
        "GET /matters/{matter}/facts",
        "facts.sheet",
        "Los hechos de un expediente, cada uno con el papel y la frase que lo dice",
        tag="escritos",
        tool=Tool(
            "Hechos de un expediente",
            "Los hechos que dicen los papeles de un expediente (partes, fechas, salario, categoría, jornada,"
            " centro y convenio), cada uno con su papel y su frase, y lo que otros papeles dicen en contra."
            " Un dato sin valor no consta: no lo suponga.",
        ),
        command=Command(
            "los hechos de un expediente, con el papel y la frase de cada uno",
            {"matter": ("EXPEDIENTE", "su identificador")},
        ),
    )
    def facts(self, matter: str) -> None:
        """The facts of the case of an expediente, each with the paper and the sentence that tell it."""

    @operation(
        "POST /matters/{matter}/facts/{fact}",
        "facts.correct",
        "Corrige un hecho de un expediente; sin «value», retira la corrección",
        tag="escritos",
        command=Command(
            "corrige un hecho de un expediente, o retira la corrección",
            {
                "matter": ("EXPEDIENTE", "su identificador"),
                "fact": ("DATO", "start, letter, effects, salary…, como los da «facts»"),
                "value": ("VALOR", "sin él se retira la corrección; vacío, no consta"),
                "unit": ("TIEMPO", "mes, año o día del salario; semana o año de la jornada"),
            },
        ),
    )
    def fact(self, matter: str, fact: str, *, value: str | None = None, unit: str = "") -> None:
        """Give a fact of the case («» if it is not known), or take back what was given; all of them then."""

    @operation("GET /norms", "law.norms", "Normas del corpus, por páginas")
    def norms(self, offset: int = 0, limit: int = 100) -> None:
        """A page of the norms of the corpus."""

    @operation("GET /norms/{norm_id}", "law.norm", "Una norma")
    def norm(self, norm_id: str) -> None:
        """A norm by its id."""

    @operation(
        "GET /norms/{norm_id}/articles/{label}",
        "law.article_of",
        "Un artículo en su redacción de un día, por norma y número («48 bis», «da 3»)",
        reply="article",
    )
    def article_of(self, norm_id: str, label: str, as_of: Day = None) -> None:
        """An article by norm id and label («48 bis», «da 3»), on a day; today if None."""

    @operation("GET /news", "news.document", "Lo que ha cambiado en la normativa y afecta a la persona")
    def news(self, limit: int = 100, *, unread: bool = False) -> None:
        """Changes of the law that touch the person, the latest first; `unread`: only those not read yet."""

    @operation(
        "POST /tool",
        "law.tool",
        "Las herramientas de documentos, como las llama un modelo",
        command=Command(
            "las herramientas de documentos a mano, como las llama un modelo",
            {
                "calls": ("LLAMADAS", "«<tool_…>…</tool_…>», o - para la entrada estándar"),
                "question": ("PREGUNTA", "la que el modelo contestaría"),
            },
        ),
    )
    def tool(self, calls: str, *, question: str = "", as_of: Day = None) -> None:
        """The outcomes of calls of the document tools, written as a model writes them."""

    @operation(
        "POST /calculations/{name}",
        "calculations.requested",
        "Un plazo o una cantidad, con sus pasos, artículos y supuestos",
        id="calculation",
    )
    def calculate(self, name: str, data: Mapping[str, Any]) -> None:
        """A term or an amount with its steps; a wrong call is told which data it takes."""

    @operation(
        "GET /conversations/{conversation_id}/answers",
        "opinions.listed",
        "Las respuestas terminadas de una consulta",
        tag="escritos",
        names={"conversation": "conversation_id"},
    )
    def answers(self, conversation: str) -> None:
        """The finished answers of a conversation by their ids, and the templates of the firm."""

    @operation(
        "POST /opinions",
        "opinions.document",
        "Un dictamen con respuestas de una consulta propia",
        tag="escritos",
        reply="file",
    )
    def opinion(
        self,
        conversation: str,
        answers: Sequence[int] = (),
        *,
        conclusions: Sequence[int] = (),
        format: str = "docx",
        letterhead: str = "",
        draft: bool = False,
    ) -> None:
        """An opinion of answers of a conversation as a file; `content` is base64.

        Args:
            answers: their ids; none: all of them.
            conclusions: ids of those that a person accepts, which alone are concluded.
            format: docx, pdf, md or json.
            letterhead: name of a template of the firm, for docx.
            draft: a model drafts antecedentes and conclusiones.
        """

    @operation(
        "POST /evaluate",
        "evaluations.report",
        "Mide con preguntas de respuesta conocida",
        tag="trabajos",
        reply="work",
        command=Command(
            "mide con preguntas de respuesta conocida",
            {
                "cases": ("CASOS.jsonl", "un caso por línea"),
                "save": ("", "la guarda para la página «Evaluación»"),
                "aids": (
                    "",
                    "ayudas de búsqueda: todas, ninguna, o todas menos las de las normas preguntadas (mixed)",
                ),
            },
        ),
    )
    def evaluate(
        self,
        cases: Sequence[Mapping[str, Any]],
        *,
        aids: Literal["all", "none", "mixed"] = "all",
        name: str = "api",
        sha256: str = "",
        save: bool = False,
        tell: OnProgress | None = None,
    ) -> None:
        """The figures of questions with known answers; see `service.contract.evaluations.EvaluateRequest`."""

    @operation(
        "POST /reindex",
        "jobs.reindex",
        "Rehace el índice a partir de la base de datos",
        tag="trabajos",
        reply="work",
        command=Command("rehace el índice a partir de la base de datos", {}),
    )
    def reindex(self, *, tell: OnProgress | None = None) -> None:
        """The counts of a rebuilt index."""

    @operation(
        "GET /health",
        "",
        "Si puede responder: base de datos, índice y servicio",
        tag="servicio",
        reply="health",
    )
    def health(self) -> None:
        """Readiness of each thing that an answer needs, by name."""


OPERATIONS: dict[str, Operation] = {
    name: method.row for name, method in vars(Operations).items() if hasattr(method, "row")
}
