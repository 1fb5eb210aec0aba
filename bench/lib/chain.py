"""Chains of any length, written by the tool that writes the packaged one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from climbing_rig.model import RobotModel, load_urdf

TOOL = Path(__file__).resolve().parents[2] / "tools" / "chain_urdf.py"


def chain_model(bones: int) -> RobotModel:
    """A robot of that many bones, each on two hinges."""
    command = [sys.executable, str(TOOL), "chain", "--bones", str(bones)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.urdf"
        path.write_text(text, encoding="utf-8")
        return load_urdf(path)
