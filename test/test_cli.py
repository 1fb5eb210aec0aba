"""The command line says what there is, and what is wrong in one line."""

from __future__ import annotations

import json

import pytest

from climbing_rig.cli import main


def test_help_shows_every_command_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in (([], "demo"), (["demo"], "examples:"), (["wall"], "examples:")):
        with pytest.raises(SystemExit) as ending:
            main([*command, "--help"])
        assert ending.value.code == 0
        assert words in capsys.readouterr().out


def test_a_wrong_command_line_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["fly"], ["demo", "--climb", "-1"], ["demo", "--wall-pose", "1"]):
        with pytest.raises(SystemExit) as ending:
            main(arguments)
        assert ending.value.code == 2
    capsys.readouterr()


def test_wall_lists_the_walls_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wall", "--json"]) == 0
    assert {"tall", "leaning"} <= json.loads(capsys.readouterr().out).keys()


def test_wall_tells_what_a_wall_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wall", "generated:flat?spacing=0.1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["points"] == 1600 and facts["climbable"] == 1.0


def test_a_wall_that_is_not_there_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wall", "nowhere.ply"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("ConfigError: no such file: nowhere.ply") and told.err.count("\n") == 1
