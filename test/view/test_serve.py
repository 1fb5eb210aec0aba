"""The page's address: only this machine, the next free port, and words where neither works."""

from __future__ import annotations

import socket

import pytest

from climbing_rig.errors import ConfigError
from climbing_rig.view.serve import close_server, open_server


def test_the_next_free_port_is_taken_and_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = open_server("127.0.0.1", port)
        try:
            assert server.get_port() > port
            assert server.get_host() == "127.0.0.1"
        finally:
            close_server(server)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host"])
def test_an_address_of_another_machine_is_refused_by_name(host: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_server(host, 8080)
    assert caught.value.given in (host, 8080)
    assert host in str(caught.value)
