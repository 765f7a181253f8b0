"""Norms that the cross-validation of the training scripts leaves out."""

from scripts.train_selection import FOLDS, Example, folds


def of(*norms: str, query: str = "¿?") -> Example:
    return Example(query, [], [], norms)


def test_the_questions_of_a_norm_are_in_one_fold_and_one_of_several_norms_goes_with_its_first() -> None:
    given = [of(norm, query=f"{norm}{i}") for norm in "abcdefg" for i in range(3)]
    given += [of("a", "g"), of("g", "a"), of("g", "a")]
    found = folds(given)
    parts = {one.norms[0]: fold for one, fold in zip(given, found, strict=True)}
    assert [parts[one.norms[0]] for one in given] == list(found)
    assert set(found) == set(range(FOLDS))
    assert parts["a"] != parts["g"]


def test_the_folds_have_about_as_many_questions_each() -> None:
    sizes = [12, 11, 10, 4, 4, 4, 3, 3]
    found = folds([of(str(norm)) for norm, size in enumerate(sizes) for _ in range(size)])
    counts = [int((found == fold).sum()) for fold in range(FOLDS)]
    assert max(counts) - min(counts) <= 5
