"""Nodes and a listener, started once per module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nodes import Listener, NodeProcess


@pytest.fixture(scope="module")
def start_node() -> Iterator[Callable[..., NodeProcess]]:
    """Starts nodes that end with the module, each with exit code 0 and without a traceback."""
    started: list[NodeProcess] = []

    def start(module: str, *arguments: str, **options: object) -> NodeProcess:
        started.append(NodeProcess(module, arguments, **options))
        return started[-1]

    yield start
    for node in reversed(started):
        code = node.end()
        assert code == 0, f"exit code {code}:\n{node.output}"
        assert "Traceback" not in node.output, node.output


@pytest.fixture(scope="module")
def listener(ros: None) -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


@pytest.fixture(scope="session")
def repository() -> Path:
    return Path(__file__).resolve().parents[2]
