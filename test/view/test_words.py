"""The words on the panel, from a report to HTML."""

from __future__ import annotations

from climbing_rig.ros.limb_client import ClimberReport, LimbReport
from climbing_rig.view import words
from climbing_rig.view.palette import limb_colours
from climbing_rig.view.records import NO_REPORT, Answer, is_on, phase_of

RED = (200, 0, 0)
REPORT = ClimberReport(
    {"left_hand": LimbReport("locked", "", True)},
    "3 of 4 limbs hold",
    {"bounds": "elbow_l at its limit", "refused": "limb_cmds: stale", "paused": "true"},
)


def test_silence_bounds_refusals_and_answers_are_all_said() -> None:
    html = words.situation(REPORT, "", 199.6, Answer("left hand: grip", False, "no hold under the limb"))
    for part in ("3 of 4 limbs hold", "200 Hz", "elbow_l at its limit", "limb_cmds: stale", "no hold under the limb"):
        assert part in html


def test_a_silent_climber_is_said_to_be_silent_and_nothing_old_is_repeated() -> None:
    html = words.situation(REPORT, "no climber heard yet on /climber/status", 0.0, None)
    assert "no climber heard yet on /climber/status" in html
    assert "3 of 4" not in html
    assert "elbow" not in html


def test_a_limbs_card_has_its_name_phase_and_reason_and_no_markup_of_others() -> None:
    html = words.limb_card("left_hand", LimbReport("locked", "<script>alert(1)</script>", True), RED, "1")
    for part in ("left hand", "locked", "selected", "&lt;script&gt;"):
        assert part in html
    assert "<script>" not in html


def test_what_a_report_does_not_say_is_off_and_has_no_phase() -> None:
    assert is_on(REPORT, "paused")
    assert not is_on(NO_REPORT, "paused")
    assert (phase_of(REPORT, "left_hand"), phase_of(REPORT, "tail"), phase_of(NO_REPORT, None)) == ("locked", "", "")


def test_limbs_have_different_colours_and_more_limbs_than_colours_is_no_error() -> None:
    names = [f"leg_{i}" for i in range(12)]
    colours = limb_colours(names)
    assert list(colours) == names
    assert len({colours[name] for name in names[:8]}) == 8
