"""Numbers of a spreadsheet read as it shows them in Spanish."""

from decimal import Decimal

import pytest

from loading.formats.number_formats import shown

EURO = '_-* #,##0.00\\ [$€-C0A]_-;\\-* #,##0.00\\ [$€-C0A]_-;_-* "-"??\\ [$€-C0A]_-;_-@_-'


@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        ("1512.6", "#,##0.00", "1.512,60"),
        ("1512.605", "#,##0.00", "1.512,61"),
        ("1512.6", "General", "1512,6"),
        ("0.1", "", "0,1"),
        ("12", "@", "12"),
        ("-0", "General", "0"),
        ("1234567.891", '#,##0.00\\ "€"', "1.234.567,89 €"),
        ("1234.5", EURO, "1.234,50 €"),
        ("-1234.5", EURO, "-1.234,50 €"),
        ("0", EURO, "- €"),
        ("-3.2", "#,##0.00;[Red](#,##0.00)", "(3,20)"),
        ("-3.2", "0.0", "-3,2"),
        ("-0.001", "0.00", "0,00"),
        ("0.215", "0.0%", "21,5%"),
        ("0", '#,##0;-#,##0;"-"', "-"),
        ("8001", "00000", "08001"),
        ("600112233", "000\\ 00\\ 00\\ 00", "600 11 22 33"),
        ("5", '0 "días"', "5 días"),
        ("0.5", ".00", ",50"),
        ("3", "0.##", "3"),
        ("12345678", '#,##0.0,,"M"', "12,3M"),
        ("0.5", "# ?/?", "0,5"),
        ("1000", '[>=1000000]0.0,,"M";0', "1000"),
        ("12345", "0.00E+00", "12345"),
        ("45352", "d-mmm-yy", "01/03/2024"),
        ("45352", "[$-C0A]d\\ mmm\\ yyyy;@", "01/03/2024"),
        ("45352.5", "mm/dd/yyyy hh:mm:ss", "01/03/2024 12:00:00"),
        ("45352", "mmm-yy", "03/2024"),
        ("45352", "yyyy", "2024"),
        ("0.75", "h:mm AM/PM", "18:00"),
        ("1.5625", "[h]:mm", "37:30"),
        ("59", "d/m/yyyy", "28/02/1900"),
        ("61", "d/m/yyyy", "01/03/1900"),
        ("-5", "d/m/yyyy", "-5"),
        ("7", "0" * 300, "7"),
    ],
)
def test_a_number_is_written_as_the_sheet_shows_it(number: str, code: str, expected: str) -> None:
    assert shown(Decimal(number), code) == expected


def test_days_may_be_counted_from_1904() -> None:
    assert shown(Decimal(43890), "dd/mm/yyyy", since_1904=True) == "01/03/2024"


@pytest.mark.parametrize(
    "code", ['"', "[", "\\", ";;;;", "_", "*", ",,,", "[h", "General General", "0.0.0", "%%%%%"]
)
@pytest.mark.parametrize("number", ["0", "-1.5", "1e300", "-1e-300", "2958465.9999999"])
def test_a_format_that_makes_no_sense_is_no_crash(code: str, number: str) -> None:
    assert isinstance(shown(Decimal(number), code), str)
