"""How long who failed has to wait."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, select

from service.accounts.throttle import AT_ONCE, WAITING, SignInRefused, Throttled, place
from storage.tables.accounts import AttemptRow
from tests.hostile import batches
from tests.office import HOME, OFFICE, OTHER, SECRET, THIEF, WRONG, enter, fails


def test_after_five_failures_the_wait_of_that_address_grows_up_to_three_minutes(office, accounts, ana):
    fails(accounts, 5)
    waits = []
    for _ in range(7):
        with pytest.raises(Throttled) as caught:
            enter(accounts, address=THIEF)
        assert enter(accounts, address=HOME)
        waits.append(caught.value.retry_after // 60)
        office.clock.tick(seconds=caught.value.retry_after)
        if len(waits) < 7:
            fails(accounts, 1)
    assert waits == [1, 2, 3, 3, 3, 3, 3]
    assert enter(accounts, address=THIEF)


def test_the_wait_is_told_in_minutes(accounts, ana):
    fails(accounts, 5)
    with pytest.raises(Throttled, match=r"^Demasiados intentos: espere 1 minuto\.$"):
        enter(accounts, address=THIEF)


def test_an_unknown_user_name_is_throttled_like_a_known_one(accounts, ana):
    told = []
    for username in ("ana", "nadie", "no válido <>"):
        fails(accounts, 5, username)
        with pytest.raises(Throttled) as caught:
            enter(accounts, username, "otra más", THIEF)
        told.append((str(caught.value), caught.value.retry_after))
    assert len(set(told)) == 1


def flooded(accounts, username="ana"):
    """Fail from so many addresses, some of them twice, that strangers of both kinds have to wait."""
    for number in range(30):
        fails(accounts, 1, username, f"192.0.2.{number}")
        fails(accounts, 1, username, f"192.0.2.{number}")


def test_a_known_device_waits_for_nobody_elsewhere(accounts, ana):
    flooded(accounts)
    fails(accounts, 5, address=OFFICE)
    with pytest.raises(Throttled):
        enter(accounts, address=OFFICE)
    for address in (OFFICE, HOME, THIEF):
        assert enter(accounts, address=address, device=ana.device)


def test_a_known_address_waits_for_its_own_failures_only(accounts, ana):
    flooded(accounts)
    with pytest.raises(Throttled):
        enter(accounts, address=HOME)
    assert enter(accounts, address=OFFICE)


def test_a_stranger_waits_a_minute_at_most_however_many_failed(office, accounts, ana):
    flooded(accounts)
    with pytest.raises(Throttled) as caught:
        enter(accounts, address=HOME)
    assert caught.value.retry_after <= 60
    office.clock.tick(seconds=caught.value.retry_after)
    assert enter(accounts, address=HOME)


def test_nobody_learns_from_the_answers_that_an_account_exists_or_that_its_owner_came_in(
    office, accounts, rosa, ana
):
    """The same attempts at a name with an account, whose owner comes in meanwhile, and at one without."""
    told = {}
    for username in ("ana", "nadie"):
        office.database.engines.run(delete(AttemptRow))
        told[username] = []
        for number in range(200):
            address = (THIEF, OFFICE, f"192.0.2.{number // 4}", f"2001:db8:{number}::1")[number % 4]
            before = office.passwords.computed
            with pytest.raises(SignInRefused) as caught:
                enter(accounts, username, "adivinada", address, device=("", "inventado")[number % 2])
            hashes = office.passwords.computed - before
            told[username].append((str(caught.value), getattr(caught.value, "retry_after", 0), hashes))
            if number % 20 == 0:
                office.clock.tick(seconds=50)
                if username == "ana":
                    assert enter(accounts, address=OFFICE, device=ana.device)
    waits = {wait for _, wait, _ in told["ana"]}
    assert told["ana"] == told["nadie"]
    assert min(waits) == 0
    assert len(waits) > 3


def test_a_device_may_not_guess_for_ever_either_and_waits_alone(accounts, ana):
    for _ in range(5):
        with pytest.raises(SignInRefused, match="incorrectos"):
            enter(accounts, password="mala", device=ana.device)
    with pytest.raises(Throttled):
        enter(accounts, device=ana.device)
    assert enter(accounts)
    assert enter(accounts, address=HOME)


@pytest.mark.parametrize("whose", ["other account", "invented", "closed sessions", "another password"])
def test_a_device_that_the_account_does_not_know_is_none(office, accounts, rosa, ana, whose):
    device = enter(accounts, "rosa").device if whose == "other account" else ana.device
    if whose == "invented":
        device = "x" * 43
    elif whose == "closed sessions":
        accounts.sessions.revoke_others(ana.identity)
    elif whose == "another password":
        changed = accounts.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE)
        accounts.sign_in.change_password(changed.token, OTHER, SECRET, address=OFFICE)
    fails(accounts, 5, address=OFFICE)
    with pytest.raises(Throttled):
        enter(accounts, device=device)


def test_no_hostile_text_is_a_known_device(office, accounts, ana):
    for text in batches(6, whole=True):
        office.database.engines.run(delete(AttemptRow))
        with pytest.raises(SignInRefused, match=WRONG):
            enter(accounts, password="mala", device=text)
        assert enter(accounts, device=text).device != text


def test_a_browser_keeps_the_token_that_its_account_knows_and_no_other(accounts, rosa, ana):
    assert enter(accounts, device=ana.device).device == ana.device
    for planted in ("", "puesto por otro", rosa.device, "x" * 10_000):
        assert enter(accounts, device=planted).device not in ("", planted)


def test_an_address_is_throttled_over_all_accounts_and_a_success_does_not_free_it(accounts, rosa, ana):
    for number in range(29):
        fails(accounts, 1, f"persona{number}", OFFICE)
    assert enter(accounts)
    fails(accounts, 1, "persona29", OFFICE)
    with pytest.raises(Throttled):
        enter(accounts)
    assert enter(accounts, address=HOME)


def test_refused_attempts_do_not_make_the_wait_longer_nor_fill_the_log(office, accounts, ana):
    fails(accounts, 5)
    told = len(office.audit.kept)
    for _ in range(50):
        with pytest.raises(Throttled):
            enter(accounts, address=THIEF)
    assert len(office.audit.kept) == told
    office.clock.tick(minutes=1)
    fails(accounts, 1)


def test_a_sign_in_on_a_known_device_forgets_the_failures_before_it(accounts, ana):
    for _ in range(3):
        for _ in range(4):
            with pytest.raises(SignInRefused, match="incorrectos"):
                enter(accounts, password="mala", device=ana.device)
        assert enter(accounts, device=ana.device)


def test_a_clock_that_is_put_back_locks_no_account(office, accounts, ana):
    fails(accounts, 5)
    office.clock.tick(days=-2)
    assert enter(accounts, address=THIEF)


def test_failures_older_than_a_day_are_deleted_by_the_next_one(office, accounts, ana):
    fails(accounts, 4)
    office.clock.tick(days=1, seconds=1)
    fails(accounts, 1)
    with office.database.engines.read() as session:
        assert {row.at for row in session.scalars(select(AttemptRow))} == {office.clock.now}


def test_the_addresses_of_one_ipv6_network_are_one():
    assert place("2001:db8:1:2::1") == place("2001:db8:1:2:ffff::9%eth0") == "2001:db8:1:2::/64"
    carrying = (
        "::ffff:192.0.2.1",
        "2002:c000:201:7::9",
        "64:ff9b::c000:201",
        "2001:0:4136:e378:8000:63bf:3fff:fdfe",
    )
    assert {place(one) for one in carrying} == {"192.0.2.1"}
    assert place("x\x00\n" + "y" * 100) == "x" + "y" * 63


def test_a_flood_computes_two_hashes_at_once_and_refuses_those_beyond_the_queue(office, accounts, ana):
    office.passwords.gate = threading.Event()
    crowd = AT_ONCE + WAITING + 8
    turned_away = threading.Semaphore(0)

    def one(number):
        try:
            return enter(accounts, f"persona{number}", "x", f"10.0.0.{number}")
        except Throttled:
            turned_away.release()
            return "throttled"
        except SignInRefused:
            return "refused"

    with ThreadPoolExecutor(crowd) as pool:
        waiting = [pool.submit(one, number) for number in range(crowd)]
        for _ in range(8):
            assert turned_away.acquire(timeout=30)
        office.passwords.gate.set()
        told = [one.result() for one in waiting]
    assert told.count("throttled") == 8
    assert office.passwords.most <= AT_ONCE
    office.passwords.gate = None
    assert enter(accounts)


def test_guesses_sent_at_once_do_not_get_past_the_wait(office, accounts, ana, monkeypatch):
    fails(accounts, 4)
    office.passwords.gate, office.passwords.computed = threading.Event(), 0
    looked = threading.Semaphore(0)
    failures = office.database.attempts.failures

    def observed(*given):
        found = failures(*given)
        looked.release()
        return found

    monkeypatch.setattr(office.database.attempts, "failures", observed)

    def guess(number):
        with pytest.raises(SignInRefused):
            enter(accounts, password=f"a la vez {number}", address=THIEF)

    with ThreadPoolExecutor(6) as pool:
        guesses = [pool.submit(guess, number) for number in range(6)]
        for _ in range(6 * 4):  # each looks at all its keys, and whether it is new, before it takes its turn
            assert looked.acquire(timeout=30)
        office.passwords.gate.set()
        for one in guesses:
            one.result()
    assert office.passwords.computed <= AT_ONCE
