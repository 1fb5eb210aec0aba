"""Stamps advance by exactly what is simulated, end up at the clock's time, and never jump with motion."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from climbing_rig.ros.stamps import LATEST, SECOND, Kind, Stamps

PERIOD = 5_000_000
START = 1_700_000_000 * SECOND


def started() -> Stamps:
    stamps = Stamps(PERIOD)
    assert stamps.look(START, 0).kind is Kind.WAIT
    return stamps


@settings(max_examples=50)
@given(st.lists(st.integers(0, 40 * PERIOD), max_size=60))
def test_a_tick_is_at_most_two_periods_and_stamps_advance_by_exactly_its_dt(elapsed: list[int]) -> None:
    stamps, now, stamp = started(), START, START
    for passed in elapsed:
        now += passed
        look = stamps.look(now, now - START)
        assert 0 <= look.dt <= 2 * PERIOD
        assert look.stamp - stamp == look.dt
        stamp = look.stamp


def test_a_late_loop_catches_up_without_leaving_anything_out() -> None:
    stamps = started()
    now = START + SECOND // 4
    ticks = [stamps.look(now, now - START) for _ in range(25)]
    assert {look.dt for look in ticks} == {2 * PERIOD}
    assert ticks[-1].stamp == now
    assert not stamps.behind


def test_a_loop_that_never_catches_up_gives_up_what_it_missed() -> None:
    stamps = started()
    kinds = [stamps.look(START + beat * SECOND // 10, beat * SECOND // 10).kind for beat in range(1, 100)]
    assert Kind.LATE in kinds and Kind.JUMP not in kinds
    assert kinds.index(Kind.LATE) * SECOND // 10 >= LATEST


def test_a_clock_that_leaps_ahead_is_followed_without_motion() -> None:
    stamps = started()
    look = stamps.look(START + 3600 * SECOND, PERIOD)
    assert (look.kind, look.dt, look.stamp) == (Kind.JUMP, 0, START + 3600 * SECOND)
    assert stamps.look(look.stamp + PERIOD, 2 * PERIOD).dt == PERIOD


def test_a_clock_that_goes_back_is_followed_without_motion() -> None:
    stamps = started()
    look = stamps.look(START - 3600 * SECOND, PERIOD)
    assert (look.kind, look.dt, look.jump) == (Kind.JUMP, 0, -3600 * SECOND)


def test_a_small_step_back_and_a_standing_clock_only_wait() -> None:
    stamps = started()
    assert stamps.look(START + PERIOD, PERIOD).kind is Kind.TICK
    assert stamps.look(START + PERIOD - 1000, 2 * PERIOD).kind is Kind.WAIT
    assert stamps.look(START + PERIOD - 1000, 3 * PERIOD).kind is Kind.WAIT


def test_no_time_yet_is_said() -> None:
    assert Stamps(PERIOD).look(0, 0).kind is Kind.NO_TIME


def test_simulated_time_that_runs_slowly_or_fast_is_no_jump() -> None:
    stamps = started()
    now = START
    for factor in (0.1, 10.0):
        for beat in range(20):
            now += round(PERIOD * factor)
            assert stamps.look(now, beat * PERIOD).kind is not Kind.JUMP
