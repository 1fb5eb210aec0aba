"""The view node as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass
class View:
    """The view node's process, and the address that it printed."""

    process: subprocess.Popen[str]
    address: str


def start_view(*parameters: str) -> View:
    """Starts the view node and reads the one line it prints."""
    command = [sys.executable, "-m", "climbing_rig.view.page"]
    if parameters:
        command += ["--ros-args", *(word for parameter in parameters for word in ("-p", parameter))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    line = process.stdout.readline().strip()
    assert line.startswith("view: http://127.0.0.1:"), line
    return View(process, line.removeprefix("view: "))
