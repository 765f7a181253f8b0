"""Terms as a calendar file that programs read, whatever is in their names."""

from datetime import UTC, date, datetime

from domain.matters import KeptTerm
from pages.parts.common.terms import left
from service.opinions.term_calendar import calendar

NOW = datetime(2026, 3, 2, 8, 5, tzinfo=UTC)


def term(**facts: object) -> KeptTerm:
    given = {"id": "a1", "matter_id": "m", "matter": "Faro", "title": "Caducidad", "day": date(2026, 12, 31)}
    return KeptTerm(**{**given, "added_by": "ana", "added_at": NOW} | facts)


def test_a_term_is_a_whole_day_with_a_reminder_three_days_before() -> None:
    assert calendar([term(told="Último día: 31/12")], NOW).decode().split("\r\n") == [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Articulado//Plazos//ES", "CALSCALE:GREGORIAN"),
        *("BEGIN:VEVENT", "UID:a1@articulado", "DTSTAMP:20260302T080500Z"),
        *("DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101", "SUMMARY:Caducidad (Faro)"),
        *("DESCRIPTION:Último día: 31/12", "TRANSP:TRANSPARENT", "BEGIN:VALARM", "ACTION:DISPLAY"),
        *(
            "DESCRIPTION:Caducidad (Faro)",
            "TRIGGER:-P2DT15H",
            "END:VALARM",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ),
    ]


def test_signs_are_escaped_and_long_lines_folded_between_characters() -> None:
    title = "Añ;o, \\ 😀" * 30 + "\nEND:VCALENDAR\x00\u202e"
    made = calendar([term(title=title)], NOW)
    lines = made.split(b"\r\n")
    assert max(map(len, lines)) <= 75 and all(line.decode() for line in lines[:-1])
    assert made.count(b"\r\nEND:VCALENDAR") == 1 and b"\n" not in made.replace(b"\r\n", b"")
    whole = made.decode().replace("\r\n ", "")
    assert "SUMMARY:" + "Añ\\;o\\, \\\\ 😀" * 30 + "\\nEND:VCALENDAR (Faro)\r\n" in whole


def test_the_days_left_are_told_in_words_and_colours() -> None:
    now = date(2026, 3, 2)
    assert [left(date(2026, 3, one), now) for one in (1, 2, 3, 12, 13)] == [
        ("Venció hace 1 día", ""),
        ("Vence hoy", "art-low"),
        ("Queda 1 día", "art-low"),
        ("Quedan 10 días", "art-mid"),
        ("Quedan 11 días", "art-high"),
    ]
