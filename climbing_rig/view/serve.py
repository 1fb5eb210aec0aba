"""Opens the page's web server on the first free port."""

from __future__ import annotations

import contextlib
import io
import socket

import viser

from climbing_rig.errors import ConfigError

PORTS_TRIED = 100


def open_server(host: str, port: int) -> viser.ViserServer:
    """A viser server that is listening.

    Args:
        host: Address to bind; 127.0.0.1 is seen from this machine alone.
        port: The first port to try; the next free one is taken when it is in use.

    Raises:
        ConfigError: The address is not one of this machine's, or no port is free.
    """
    free = _free_port(host, port)
    with contextlib.redirect_stdout(io.StringIO()):  # viser's own banner; the caller prints one line
        return viser.ViserServer(host=host, port=free, label="climbing_rig", verbose=False)


def close_server(server: viser.ViserServer) -> None:
    """Closes the page."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _free_port(host: str, first: int) -> int:
    try:
        family, kind, protocol, _, _ = socket.getaddrinfo(host, first, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ConfigError(f"the page cannot be served on '{host}': {error}", name="host", given=host) from None
    problem: OSError | None = None
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                return port
            except OSError as error:
                problem = error
    raise ConfigError(f"no port from {first} on is free on '{host}': {problem}", name="port", given=first)
