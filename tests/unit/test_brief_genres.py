"""Citations by genre, each written as the findings that it gives (`tests/brief_notation.py`)."""

import pytest

from casework.briefs.brief_reading import read_brief
from tests.brief_notation import CATALOGUE, TODAY, provisions_of

CONCILIATION = [
    ("el 103-1 LJS", "LRJS 103.1"),
    ("el Art. 55 nº 1 E.T. exige", "ET 55.1"),
    ("y 55.1 párr. 4º ET la empresa", "ET 55.1"),
    ("el art. 26, nº 3, ET", "ET 26.3"),
    ("el art. 1.108 C.c.", "CC 1108"),
    ("los arts. 1.101 y 1.106 del C.Civil", "CC 1101; CC 1106"),
    ("art. 1.124 CCiv", "CC 1124"),
    ("los artículos 4.2.f y 29.1 del ET", "ET 4.2.f; ET 29.1"),
    ("el art. 26.3 E.T. en relación con el 29.3 del mismo", "ET 26.3; ET 29.3"),
    ("el art. 110.1.b) in fine LRJS", "LRJS 110.1.b"),
    ("el art. 56, ap. 2, ET", "ET 56.2"),
    ("el art. 56 apdo 2º ET", "ET 56.2"),
    ("el art. 56.2º ET", "ET 56.2"),
    ("el art. 55, números 3 y 4, del ET", "ET 55.3; ET 55.4"),
    ("el artículo 54, apartado dos, letra d) del ET", "ET 54.2.d"),
    ("el artículo 54, apartado segundo, del ET", "ET 54.2"),
    ("el artículo 54 en su apartado 2 letra b) del ET", "ET 54.2.b"),
    ("el art. 50.1 c) del RDL 2/2015, de 23 de octubre", "ET 50.1.c"),
    ("los arts. 50 y 49.1 j) del R.D.Leg. 2/15", "ET 50; ET 49.1.j"),
    ("(ex art. 24 CE)", "CE 24"),
    ("art.54.2.b)y d)ET", "ET 54.2.b; ET 54.2.d"),
    ("el art. 59.3 ET y 103.1 LRJS", "ET 59.3; LRJS 103.1"),
    ("los arts. 63 a 68 LRJS", "LRJS 63-68"),
    ("desde el art. 34 hasta el 38 del ET", "ET 34-38"),
    ("los arts. 34 al 38 ET", "ET 34-38"),
    ("el art. 82 LRJS, nº 3", "LRJS 82.3"),
    ("el art. 12.4-c ET", "ET 12.4.c"),
    ("el apdo. 3 del art. 41 ET", "ET 41.3"),
    ("el núm. 3 del artículo 55 ET", "ET 55.3"),
]
FUNDAMENTAL_RIGHTS = [
    ("el art. 28.1 CE, en relación con el art. 2.2.d) de la LOLS", "CE 28.1; LOLS 2.2.d"),
    ("los arts. 177 y ss. LRJS", "LRJS 177"),
    ("el art. 183, apdos. 1 y 2, LRJS", "LRJS 183.1; LRJS 183.2"),
    ("los arts. 14, 18.1 y 24.1 CE", "CE 14; CE 18.1; CE 24.1"),
    ("el art. 12 LO 11/85, de 2 de agosto", "LOLS 12"),
    ("el art. 9 de la Ley Orgánica de Libertad Sindical", "LOLS 9"),
    ("LOLS: arts. 8.1.b) y 13", "LOLS 8.1.b; LOLS 13"),
    ("los arts. 14 CE, 17 ET y 5 de la LO 3/2007", "CE 14; ET 17; LOI 5"),
    ("el art. 55.5 ET (y 108.2 LRJS)", "ET 55.5; LRJS 108.2"),
    ("el art. 96.1 L.R.J.S. y el 181.2 de la misma", "LRJS 96.1; LRJS 181.2"),
]
APPEAL = [
    ("el art. 193.b) y c) LRJS", "LRJS 193.b; LRJS 193.c"),
    ("al amparo del apartado c) del artículo 193 de la LRJS", "LRJS 193.c"),
    ("por la vía de la letra c del art. 193 LJS", "LRJS 193.c"),
    ("el art. 217.3 y 7 LEC", "LEC 217.3; LEC 217.7"),
    ("los arts. 218 LEC y 24 y 120.3 CE", "LEC 218; CE 24; CE 120.3"),
    ("el art. 52.c), en relación con el 51.1, ambos del ET", "ET 52.c; ET 51.1"),
    ("los artículos 41 y 50, ambos del ET", "ET 41; ET 50"),
    ("los arts. 22 y 39, todos ellos del ET", "ET 22; ET 39"),
    ("el art. 191.3-b LRJS", "LRJS 191.3.b"),
    ("el art. 207.e) LRJS", "LRJS 207.e"),
    ("el art. 197.1 de la Ley Reguladora de la Jurisdicción Social", "LRJS 197.1"),
    ("Art. 97.2 LRJS. Ibíd., art. 197.2", "LRJS 97.2; LRJS 197.2"),
    ("el art. 97 LRJS. Ídem, art. 197.", "LRJS 97; LRJS 197"),
    ("el art. 41.1 ET. El párrafo segundo del citado apartado añade", "ET 41.1; ET 41.1"),
    ("el art. 54.2 ET. La letra b) del mismo apartado añade", "ET 54.2; ET 54.2.b"),
    ("infringe el art. 24.1 y el 9.3 de la Constitución", "CE 24.1; CE 9.3"),
]
UNION_REPORT = [
    ("los arts. 64.7.a), 64.4 y 68.e) ET", "ET 64.7.a; ET 64.4; ET 68.e"),
    ("ET 64.5, sobre consulta", "ET 64.5"),
    ("el art. 4 del Convenio núm. 158 de la OIT", "[Convenio núm. 158 de la OIT] 4"),
    ("el Convenio nº 158 OIT, art. 4", "[Convenio nº 158 OIT] 4"),
    ("el art. 6 del Convenio de la OIT núm. 132", "[Convenio de la OIT núm. 132] 6"),
    ("el art. 1 del C190 OIT", "[C190 OIT] 1"),
    (
        "el Convenio 158 de la Organización Internacional del Trabajo (art. 4)",
        "[Convenio 158 de la Organización Internacional del Trabajo] 4",
    ),
    ("el art. 2 de la Dir. 98/59/CE", "[Dir. 98/59/CE] 2"),
    ("el art. 1 de la Directiva (UE) 2019/1152", "[Directiva (UE) 2019/1152] 1"),
    ("la Directiva 2001/23/CE, art. 3.1", "[Directiva 2001/23/CE] 3.1"),
    (
        "los arts. 5 y 6 del Reglamento (UE) 2016/679",
        "[Reglamento (UE) 2016/679] 5; [Reglamento (UE) 2016/679] 6",
    ),
    ("el art. 41 ET y el art. 157 TFUE", "ET 41; [TFUE] 157"),
    ("el art. 31.2 CDFUE", "[CDFUE] 31.2"),
    ("el art. 41 ET y el art. 6 del CEDH", "ET 41; [CEDH] 6"),
    ("el art. 41 ET y el art. 24 de la Carta Social Europea", "ET 41; [Carta Social Europea] 24"),
    ("El ET rige. El art. 33 del convenio de aplicación lo mejora.", "ET; [convenio de aplicación] 33"),
    ("El ET rige. Según el convenio, art. 32, procede.", "ET; [convenio] 32"),
    (
        "El art. 41 ET. En el convenio colectivo de Contact Center (art. 33)",
        "ET 41; [convenio colectivo de Contact Center] 33",
    ),
    ("El art. 41 ET y el art. 7 del contrato de trabajo.", "ET 41; [contrato de trabajo] 7"),
    ("El art. 41 ET y el art. 12 de los Estatutos de la sociedad.", "ET 41; [Estatutos de la sociedad] 12"),
    ("El art. 41 ET y el art. 3 del plan de igualdad.", "ET 41; [plan de igualdad] 3"),
    ("El art. 41 ET y el art. 9 del protocolo de acoso.", "ET 41; [protocolo de acoso] 9"),
    ("El art. 41 ET y el art. 5 del pliego.", "ET 41; [pliego] 5"),
    ("el art. 12 del Estatuto Básico del Empleado Público", "EBEP 12"),
    ("el art. 8 del Estatuto del Trabajo Autónomo", "LETA 8"),
]
SEVERAL_NORMS = [
    (
        "los artículos 14 y 24 CE; 4.2.c) ET; 2, 9.2 y 26 de la Ley 15/2022; y 8.12 y 13 bis de la LISOS",
        "CE 14; CE 24; ET 4.2.c; 15/2022 2; 15/2022 9.2; 15/2022 26; LISOS 8.12; LISOS 13 bis",
    ),
    ("el art. 18 y 33-40 LPRL", "LPRL 18; LPRL 33-40"),
    ("el art. 14, 15 y 16 LPRL", "LPRL 14; LPRL 15; LPRL 16"),
    ("el art. 193 LRJS no cumple el 196.2 de la misma Ley.", "LRJS 193; LRJS 196.2"),
    ("la Ley 22/2003, Concursal, art. 64; hoy, el TRLC", "[Ley 22/2003] 64; TRLC"),
    ("el art. 7 del D. 1646/1972 y el art. 9 LGSS", "1646/1972 7; LGSS 9"),
    ("el art. 6 del Dto. 1646/72, de 23 de junio, y la LGSS", "1646/1972 6; LGSS"),
    ("el art. 48.4 ET. (2) Ibíd., ap. 5.", "ET 48.4; ET 48.5"),
    (
        "los arts. 1.1 y 8.1 ET, 1 y 11 LETA, y 1.544 y 1.583 CC",
        "ET 1.1; ET 8.1; LETA 1; LETA 11; CC 1544; CC 1583",
    ),
]
LETTERS = [
    ("ART. 41.3 E.T.", "ET 41.3"),
    ("ARTICULO 50.1.B) DEL E.T.", "ET 50.1.b"),
    ("ARTÍCULOS 55.1 Y 56 DEL ET", "ET 55.1; ET 56"),
    ("EL ART. 20 BIS DEL ESTATUTO DE LOS TRABAJADORES", "ET 20 bis"),
    ("ART 38 ET Y ART 7 DEL CONVENIO", "ET 38; [CONVENIO] 7"),
]
SOCIAL_SECURITY = [
    ("el art.º 205.1-b) de la vigente LGSS", "LGSS 205.1.b"),
    ("s/ art.205.1.a LGSS", "LGSS 205.1.a"),
    ("el art. 205 1 a) LGSS", "LGSS 205.1.a"),
    ("la DT 4ª.5 LGSS", "LGSS dt 4.5"),
    ("la Disposición Transitoria Cuarta, apartado 5, de la LGSS", "LGSS dt 4.5"),
    ("la Disp. Trans. 26ª de la LGSS", "LGSS dt 26"),
    ("la disposición transitoria cuarta, apartado cinco, LGSS", "LGSS dt 4.5"),
    ("el art. 13 de la Orden de 18 de enero de 1996", "[Orden de 18 de enero de 1996] 13"),
    (
        "El art. 5 LGSS y la Orden de 18 de enero de 1996, artículo 13.",
        "LGSS 5; [Orden de 18 de enero de 1996] 13",
    ),
    ("El art. 5 LGSS y el art. 28 de la O.M. de 24-9-1970.", "LGSS 5; [O.M. de 24-9-1970] 28"),
    (
        "El art. 5 LGSS y la Orden Ministerial de 15 de abril de 1969 (art. 8).",
        "LGSS 5; [Orden Ministerial de 15 de abril de 1969] 8",
    ),
    ("el art. 2 del R.D 625/2014", "625/2014 2"),
    ("los arts. 193 y 194.4 del R.D.Legislativo 8/2015", "LGSS 193; LGSS 194.4"),
    ("los arts. 193, 194.4, 195.1 y 196.2 LGSS", "LGSS 193; LGSS 194.4; LGSS 195.1; LGSS 196.2"),
    ("el art. 8 LGSS, ap. 2", "LGSS 8.2"),
]
SCANNED = [
    ("el artícu-\nlo 41 del Estatu-\nto de los Trabaja-\ndores", "ET 41"),
    ("el art. 41 de la Ley reguladora de la Jurisdic-\nción Social rige", "LRJS 41"),
    ("ni el artículo 52 bis\nET que la máquina ha puesto", "ET 52 bis"),
    ("en el plazo del artículo 268.1\nLGSS; su importe", "LGSS 268.1"),
    ("en el plazo del\nartículo 268.1\nLGSS; su importe", "LGSS 268.1"),
    ("el articulo 4l.1 ET", "ET 41.1"),
    ("el artfculo 41 ET", "ET 41"),
    ("el art . 41 . 1 ET", "ET 41.1"),
    ("| art. 41.1 ET | vigente |\n| art. 97.2 LRJS | dudoso |", "ET 41.1; LRJS 97.2"),
    ("[1] Art. 41 ET.\n[2] Cfr. art. 5 LOI.", "ET 41; LOI 5"),
    ("la norma¹ lo dice.\n¹ Art. 41.1 ET.", "ET 41.1"),
    ("del artículo 41\ndel Estatuto de\nlos Trabajadores", "ET 41"),
    (
        "Rige lo que ordena en\neste caso el artículo 14 de la\nLey de Prevención de Riesgos\nLaborales.",
        "LPRL 14",
    ),
]
OPEN = [
    ("El art. 34 ET. El art. 25 del Convenio regula esto; el art. 30 añade.", "ET 34; [Convenio] 25; ? 30"),
    (
        "El art. 34 ET. El art. 3 de la Directiva 2003/88/CE y el art. 5 lo piden.",
        "ET 34; [Directiva 2003/88/CE] 3; [Directiva 2003/88/CE] 5",
    ),
    ("Indemnización: art. 183.1, y art. 40.1.c) LISOS.", "LISOS 183.1; LISOS 40.1.c"),
    ("El ET y el convenio lo prohíben (art. 34).", "? 34"),
    ("Según la CE y la LRJS (art. 97), procede.", "LRJS 97"),
    ("lo que disponen el Código, el Estatuto y la propia ley procesal (art. 7)", "? 7"),
    ("Ni la Ley de Igualdad, ni la de Empleo, ni la de Prevención se oponen (artículo 4).", "? 4"),
    (
        "Ni el art. 4 de la Ley 31/1995, ni su Reglamento ni el Convenio lo autorizan (artículo 9).",
        "LPRL 4; ? 9",
    ),
    ("conforme al Estatuto, a la Ley de Igualdad y a la Constitución (art. 14)", "? 14"),
    ("La nota habla de «la Ley», «el Código» y «el Estatuto» sin más (art. 3).", "? 3"),
    ("el art. 41 ET. Y el art. 18 dello Statuto dei lavoratori", "ET 41; [Statuto dei lavoratori] 18"),
    ("el art. 41 ET. El art. 394 do Código do Trabalho", "ET 41; [Código do Trabalho] 394"),
    ("el art. 41 ET. El art. L. 1233-3 del Code du travail", "ET 41"),
    ("el art. 41 ET. El art. 1 KSchG", "ET 41; [KSchG] 1"),
    ("El art. 41 ET es de 2015. La ley exige motivos (art. 41.1).", "ET 41; ET 41.1"),
    ("La LRJS manda demandar en plazo (art. 103.1).", "LRJS 103.1"),
]


GENRES = [
    *CONCILIATION, *FUNDAMENTAL_RIGHTS, *APPEAL, *UNION_REPORT, *SEVERAL_NORMS, *LETTERS,
    *SOCIAL_SECURITY, *SCANNED, *OPEN,
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GENRES)
def test_a_citation_is_read_in_the_form_of_its_genre(text: str, expected: str) -> None:
    assert provisions_of(text, expected) == expected


RULINGS = [
    ("la S.T.S. de 3 de mayo de 2017 (rcud 1234/2015)", "STS  2017-05-03 1234/2015"),
    ("las SS.T.S. de 3 de mayo de 2017 y 4 de junio de 2018", "STS  2017-05-03; STS  2018-06-04"),
    ("la S.T.C. 25/2012, de 27 de febrero", "STC 25/2012 2012-02-27"),
    (
        "la STSJ Madrid, Sec. 2.ª, 33/2020, de 17 de enero (rec. 1039/2019)",
        "STSJ 33/2020 2020-01-17 1039/2019",
    ),
    ("la STSJ de Cataluña, Secc. 1ª, núm. 33/2020", "STSJ 33/2020"),
    ("la S.T.S.J. de Cataluña núm. 123/2019, de 4 de abril", "STSJ 123/2019 2019-04-04"),
    ("la STS 1.261/2022, de 3 de mayo", "STS 1261/2022 2022-05-03"),
    ("STSJ de Cataluña 7.944/2019, de 5 de diciembre", "STSJ 7944/2019 2019-12-05"),
    ("STS (3.ª) 1.402/2020, de 27 de octubre", "STS 1402/2020 2020-10-27"),
    ("la sentencia n.º 44/2020, de 3 de febrero, del TSJ de Galicia", "STSJ 44/2020 2020-02-03"),
    ("la sentencia de 5 de marzo de 2020 del Tribunal Supremo", "STS  2020-03-05"),
    ("la sentencia de 5-3-2020, de la Sala de lo Social del Tribunal Supremo", "STS  2020-03-05"),
    ("el auto de 3 de marzo de 2021 de la Audiencia Nacional", "AAN  2021-03-03"),
    ("STS (Social) 123/2020, de 11 de febrero", "STS 123/2020 2020-02-11"),
    ("STS, Sala 4.ª, de 5-3-2020 (RJ 2020\\1234)", "STS  2020-03-05"),
    ("STS, Pleno, 5 marzo 2020, rcud. 12/2018", "STS  2020-03-05 12/2018"),
    ("STJUE de 14 de septiembre de 2016, asunto C-596/14", "STJUE  2016-09-14 C-596/14"),
    ("SAN 12/2021, de 3 de febrero", "SAN 12/2021 2021-02-03"),
    ("la STSJ de Andalucía (Málaga) 812/2019, de 3 de mayo", "STSJ 812/2019 2019-05-03"),
    ("la sentencia de instancia, de 3 de febrero de 2020, del Juzgado de lo Social", ""),
    ("Transportes Ruiz, S.A., n.º 44/2020 de su libro", ""),
    ("la sentencia 44/2020 del Juzgado de lo Social n.º 3 de Vigo", "SJS 44/2020"),
]


@pytest.mark.parametrize(("text", "expected"), RULINGS)
def test_a_ruling_is_read_with_its_court_number_day_and_appeal(text: str, expected: str) -> None:
    found = read_brief(text, CATALOGUE, TODAY).rulings
    told = [" ".join((one.court, one.number, str(one.day or ""), one.appeal)).rstrip() for one in found]
    assert "; ".join(told) == expected
    assert [one.problem for one in found if one.problem] == []
