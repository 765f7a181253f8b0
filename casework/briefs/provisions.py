"""Norms and provisions that a brief cites, each with the norm that it is of. Pure functions."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile

from casework.briefs import forms
from casework.briefs.article_lists import items
from casework.briefs.bare_numbers import rules
from casework.briefs.brief_context import (
    RUN,
    Context,
    Meant,
    Name,
    last_cited,
    may_be,
    run_of,
    short_name,
)
from casework.briefs.cited_articles import CitedArticles
from casework.briefs.cited_parts import Part, part_again, parts
from casework.briefs.findings import Provision
from casework.briefs.prepared_text import Prepared
from casework.briefs.union_norms import UnionNorms
from law.labels import fold
from law.norm_names import full_year
from law.reference_reading import Mention
from law.references import NAMED, OTHER, SAME, Attributed
from lexicon.usual_names import known_norm

LONGEST_SAID = 20
LONGEST_AGREEMENT = 110
FEWEST_LISTED = 3
"""Norms of a list from which an article behind it is no longer that of the last one."""
MOST_TEXTS = 500
"""Citations behind among which «del mismo texto» looks for one of that kind."""
_RULINGS = ("STS", "STC", "SAN", "STJ", "SSTS", "ECLI")
Stretch = tuple[int, int]


def provisions(text: Prepared, skip: Sequence[Stretch] = ()) -> list[Provision]:
    """The norms and provisions that a text cites, in its order.

    Args:
        skip: stretches, in order, whose citations are somebody else's: quotations, names of rulings.
    """
    return _Reader(text, skip).read()


class _Reader:
    """One text, read from its beginning; what is behind explains «el citado precepto»."""

    def __init__(self, given: Prepared, skip: Sequence[Stretch]) -> None:
        self._given = given
        self._text, self._typed, self._folded = given.text, given.typed, given.folded
        self._catalogue = given.catalogue
        self._skip = skip
        self._starts = [start for start, _ in skip]
        self._entries = [one for one in given.entries if not self._skipped(one.mention.start)]
        named = [
            Name(one.mention.start, _end(one), one.norm_id or "", bare=not one.mention.items)
            for one in self._entries
            if one.how == NAMED
        ]
        self._context = Context(given.text, given.folded, named)
        self._done: list[Provision] = []
        self._strangers: list[Provision] = []
        self._cited = CitedArticles()

    def _skipped(self, place: int) -> bool:
        index = bisect_right(self._starts, place)
        return index > 0 and place < self._skip[index - 1][1]

    def read(self) -> list[Provision]:
        """All of them, in the order of the text."""
        taken = {place for one in self._entries for place in range(one.mention.start, _end(one))}
        backs = [
            match
            for match in self._given.backs
            if not self._skipped(match.start()) and taken.isdisjoint(range(*match.span()))
        ]
        events: list[tuple[int, Attributed | re.Match[str]]] = [(one.start(), one) for one in backs]
        events += [(one.mention.start, one) for one in self._entries]
        for start, event in sorted(events, key=lambda one: one[0]):
            if isinstance(event, re.Match) and self._done and start < self._done[-1].end:
                continue
            for one in self._back(event) if isinstance(event, re.Match) else self._entry(event):
                self._take(one)
        union = [one for one in self._given.community if not self._skipped(one.start())]
        UnionNorms(self._text, self._folded, self._done, self._made).take(union)
        held = {place for one in self._done if one.label is not None for place in range(one.start, one.end)}
        kept = [one for one in self._done if one.label is not None or one.start not in held]
        return sorted(kept, key=lambda one: (one.start, one.end))

    def _take(self, one: Provision) -> None:
        self._done.append(one)
        if one.label:
            self._cited.add(one)
        if one.label and one.named and not one.norm_id:
            self._strangers.append(one)

    def _last_community(self, place: int) -> re.Match[str] | None:
        """The norm of the Union named last before a place."""
        index = bisect_right(self._given.community, place, key=lambda one: one.end())
        return self._given.community[index - 1] if index else None

    def _entry(self, entry: Attributed) -> Iterator[Provision]:
        mention, end = entry.mention, _end(entry)
        if not mention.items and not mention.relative:
            if entry.how == NAMED:
                norm_id, end = self._of_year(entry.norm_id, entry.end)
                if norm_id and self._done and self._is_second_name(norm_id, mention.start, end):
                    return
                named = "" if norm_id else self._text[mention.start : end]
                yield self._made(mention.start, end, Meant(norm_id, named))
            return
        if mention.relative:
            yield from self._relative(mention, end)
            return
        start, before = mention.start, self._norm_before(mention)
        if before is not None and entry.how == NAMED and entry.norm_id == before.norm_id:
            # «ET, art. 38.2, y art. 34.2 ET»: both name it.
            start = before.start
            self._done.remove(before)
        if entry.how == NAMED:
            norm_id, end = self._of_year(entry.norm_id, end)
            words = self._text[mention.tail : end].strip(" ,(")
            named = "" if norm_id else re.sub(r"^(?:de la|de los|del|de)\s+", "", words)
            # «El art. 183, y el art. 40 LISOS»: the first may be of another norm.
            told = Meant(norm_id, named, implied=entry.end <= mention.tail)
            meant = Meant(implied=True) if forms.AS_SAID.match(fold(words)) and self._is_open(end) else told
        elif before is not None:
            start, end = before.start, self._given.over_parts(end)
            meant = Meant(before.norm_id, before.named)
            self._done.remove(before)
        else:
            meant, end = self._meant(entry)
        for first, words, item in items(self._text, self._typed, mention, end):
            for part in self._with_more(parts(words, item), first, end):
                begin = first + part.start
                yield self._made(
                    min(start, begin) if first == mention.start and not part.start else begin,
                    first + part.end,
                    meant,
                    item.label,
                    apartado=part.apartado,
                    letter=part.letter,
                    until=item.until,
                )

    def _is_second_name(self, norm_id: str, start: int, end: int) -> bool:
        """True of the «R.D. 1415/2004» of «45 RGRSS, R.D. 1415/2004», not of the «ET» of «ET 3, ET 4»."""
        last = self._done[-1]
        if forms.OF_THE_NEXT.match(self._folded, end):
            return False
        beside = re.fullmatch(r"[\s,(]*", self._text[last.end : start]) if last.end <= start else None
        return last.norm_id == norm_id and not last.implied and beside is not None

    def _of_year(self, norm_id: str | None, end: int) -> tuple[str | None, int]:
        """The norm and the end of its name with a year behind: «LGSS/94» is another than «LGSS»."""
        year = forms.OTHER_YEAR.match(self._text, end)
        own = re.search(r"-(\d{4})-", norm_id or "")
        if year is None or own is None:
            return norm_id, end
        told = year[0].strip()[-2:]
        if own[1].endswith(told):
            return norm_id, year.end()
        known = known_norm(norm_id or "")
        former = self._catalogue.at(fold(f"{known.name} {full_year(told)}"), 0) if known else None
        return former.norm_id if former and former.norm_id != norm_id else None, year.end()

    def _is_open(self, end: int) -> bool:
        """True if the text says behind a citation that it does not tell of what norm it is."""
        return forms.LEFT_OPEN.match(self._folded, end) is not None

    def _with_more(self, found: list[Part], first: int, end: int) -> list[Part]:
        """The one part of a citation with the apartado and letter that stand behind its norm, if they do."""
        last = found[-1]
        more = forms.PART_AFTER.match(self._folded, end)
        if len(found) > 1 or more is None or last.apartado or last.letter or first + last.end < end:
            return found
        return [Part(last.start, more.end() - first, more["apartado"], more["letter"] or more["lone"])]

    def _norm_before(self, mention: Mention) -> Provision | None:
        """The norm that stands right before the article: «Ley 36/2011, art. 103»."""
        last = self._done[-1] if self._done else None
        if last is None or last.label is not None or last.end > mention.start:
            return None
        if not forms.BEFORE_ARTICLE.fullmatch(self._folded, last.end, mention.start):
            return None
        own = forms.WHOSE.search(self._folded, last.end, mention.start)
        return last if own or len(self._context.listed(mention.start)) < FEWEST_LISTED else None

    def _meant(self, entry: Attributed) -> tuple[Meant, int]:
        """The norm of a provision with no known norm beside it, and the end of the citation."""
        mention, end = entry.mention, self._given.over_parts(_end(entry))
        same = forms.SAME_TEXT.match(self._folded, end) if entry.how != SAME else None
        if self._is_open(same.end() if same else end):
            return Meant(implied=True), same.end() if same else end
        if entry.how == SAME or same:
            kind = (same["rank"] or same["behind"] or "") if same else ""
            return self._last_text(mention.start, kind), same.end() if same else end
        other = entry.how == OTHER or forms.OWN_RULES.match(self._folded, end)
        after = forms.NAMED_AFTER.match(self._text, end) if other else None
        if after:
            return self._named_after(mention, after.start("name"), after["name"])
        acronym = forms.ACRONYM.match(self._text, end)
        capitals = sum(map(str.isupper, acronym["name"])) if acronym else 0
        if acronym and capitals > 1 and not acronym["name"].startswith(_RULINGS):
            known = self._catalogue.at(self._folded, acronym.start("name"))
            named = Meant(known.norm_id) if known else Meant(named=acronym["name"])
            return named, known.end if known else acronym.end("name")
        listed = forms.COMMA.match(self._folded, end)
        if listed and (known := self._catalogue.at(self._folded, listed.end())):
            return Meant(
                known.norm_id, "" if known.norm_id else self._text[listed.end() : known.end]
            ), known.end
        meant = self._again_named(mention) or self._of_agreement(mention)
        return meant or self._alone(mention), end

    def _alone(self, mention: Mention) -> Meant:
        """The norm of an article that nothing beside it tells."""
        same, place = self._with_label(mention), mention.start
        if self._typed[place].isdigit():
            before = self._done[-1] if self._done else None
            if before and before.norm_id and forms.AND_THE.fullmatch(self._folded, before.end, place):
                return Meant(before.norm_id, implied=before.implied, unannounced=before.unannounced)
            # A number alone goes on with what was cited last.
            near = takewhile(lambda one: place - RUN < one.end, reversed(self._done))
            last = next((one.norm_id for one in near if one.label and one.norm_id), None)
            norms = same or self._with_label(mention, implied=True) or ([last] if last else [])
            if norms and rules(self._folded, place, mention.end):
                return Meant(norms[-1])
            of = norms[-1] if norms else None
            return Meant(of, choices=self._context.every, implied=True, unannounced=True)
        union = self._last_community(place)
        here = union is not None and union.start() >= self._context.sentence(place)[0]
        if union and here and not self._context.between(union.end(), place):
            return Meant(named=union[0], implied=True)
        run = None if self._context.is_quoted(place) else run_of(self._done, place)
        return self._context.implied(place, same, strangers=self._strangers, run=run)

    def _of_agreement(self, mention: Mention) -> Meant | None:
        """The agreement that stands right before its article, if no other norm is listed with it."""
        paragraph, place = self._context.paragraph(mention.start)[0], mention.start
        if forms.WHOSE.search(self._folded, max(paragraph, place - LONGEST_SAID), place):
            named = max((one.end for one in self._done if one.end <= place), default=0)
            nouns = list(forms.PRIVATE_NOUN.finditer(self._folded, max(paragraph, named), place))
            if nouns:
                return Meant(named=nouns[-1][0], implied=True)
        first = max(paragraph, place - LONGEST_AGREEMENT)
        found = forms.AGREEMENT_BEFORE.search(self._folded, first, place)
        if found is None or len(self._context.listed(mention.start)) > 1:
            return None
        return Meant(named=self._text[slice(*found.span("name"))].rstrip(), implied=True)

    def _named_after(self, mention: Mention, begin: int, name: str) -> tuple[Meant, int]:
        """The norm of words that are no name of a known one: «del Reglamento», «del Convenio del Vidrio»."""
        approved = forms.APPROVED.match(self._folded, begin)
        known = self._catalogue.at(self._folded, approved.end()) if approved else None
        if known:
            return Meant(known.norm_id, "" if known.norm_id else self._text[begin : known.end]), known.end
        words = fold(name)
        if words.startswith("directiva") and (union := self._last_community(begin)):
            return Meant(named=union[0]), begin + len("directiva")
        bare = forms.BARE_NORM.match(words)
        if not bare or forms.PRIVATE.match(words):
            short = short_name(name)
            return Meant(named=short), begin + len(short)
        called = self._called(bare["rank"])
        return self._context.implied(mention.start, self._with_label(mention), called), begin + bare.end()

    def _again_named(self, mention: Mention) -> Meant | None:
        """The norm of «dicho artículo 49», of which the brief has cited an article 49."""
        if not forms.SAID_ARTICLE.search(self._folded, max(0, mention.start - LONGEST_SAID), mention.end):
            return None
        last = self._cited.last({item.label for item in mention.items})
        return Meant(last.norm_id, last.named, last.choices, last.implied) if last else None

    def _last_text(self, place: int, kind: str) -> Meant:
        """The norm cited last before a place, by whatever name, that can be called so."""
        called = self._called(kind)
        for one in islice(reversed(self._done), MOST_TEXTS):
            if one.end <= place and (called(one.norm_id) if one.norm_id else may_be(one.named, kind)):
                return Meant(one.norm_id, one.named, implied=one.implied)
        return Meant(self._context.last_named(place), implied=True)

    def _called(self, kind: str) -> Callable[[str], bool]:
        """True for the norms that can be called «ley», «reglamento»…; for any if the word says nothing."""
        return partial(self._catalogue.names.is_called, kind=kind.replace(".", "").strip())

    def _with_label(self, mention: Mention, *, implied: bool = False) -> list[str]:
        """Ids of the norms of which the brief has cited such an article, by name unless `implied`."""
        return self._cited.norms({item.label for item in mention.items}, implied=implied)

    def _relative(self, mention: Mention, end: int) -> Iterator[Provision]:
        last = last_cited(self._cited.all, mention.start, self._folded)
        if mention.relative == "this" and last:
            again = self._again(mention.start, end, last, last.apartado, last.letter)
            yield self._in_one_breath(again, last)
        elif last:
            yield self._made(mention.start, end, Meant(implied=True), label="")

    def _back(self, match: re.Match[str]) -> Iterator[Provision]:
        """«El citado precepto», «su apartado 3»: the provision cited last, or none if there were several."""
        start, end = match.span()
        last = last_cited(self._cited.all, start, self._folded, newest="ultimo" in match[0])
        groups = match.groupdict()
        own, of_part = match.re is forms.OWN_PART, match.re is forms.PART_OF_PART
        if last is None or (own and self._context.paragraph(start)[0] > last.end):
            if not own:
                yield self._made(start, end, Meant(implied=True), label="")
            return
        if of_part and not last.apartado:
            return
        what, sub = groups["what"] or "", groups.get("sub") or groups.get("sub2")
        values = list(forms.VALUE.finditer(self._folded, *match.span("part"))) if groups["part"] else []
        if not values:
            again = self._again(start, end, last, last.apartado, last.letter)
            yield self._in_one_breath(again, last)
        for place, value in enumerate(values):
            first = start if place == 0 else value.start()
            stop = end if place == len(values) - 1 else value.end()
            yield self._again(first, stop, last, *part_again(value[0], what, sub, last, own=own or of_part))

    def _in_one_breath(self, again: Provision, last: Provision) -> Provision:
        """The provision, marked if its paragraph has just cited it."""
        return again.model_copy(update={"again": self._context.paragraph(again.start)[0] <= last.end})

    def _again(
        self, start: int, end: int, last: Provision, apartado: str | None, letter: str | None
    ) -> Provision:
        meant = Meant(last.norm_id, last.named, last.choices, implied=last.implied)
        return self._made(start, end, meant, last.label, apartado=apartado, letter=letter)

    def _made(
        self,
        start: int,
        end: int,
        meant: Meant,
        label: str | None = None,
        *,
        apartado: str | None = None,
        letter: str | None = None,
        until: str | None = None,
    ) -> Provision:
        # «E.T.» was read as «ET  »: its last letters and points are the citation's too.
        while end < len(self._text) and self._typed[end] == " " != self._text[end]:
            end += 1
        whole = self._text[start:end]
        text = whole.strip(" ,.;:¶(")
        start += whole.index(text)
        return Provision(
            start=start,
            end=start + len(text),
            text=text,
            label=label,
            until=until,
            apartado=apartado,
            letter=letter,
            **meant._asdict(),
        )


def _end(entry: Attributed) -> int:
    return max(entry.mention.end, entry.end)
