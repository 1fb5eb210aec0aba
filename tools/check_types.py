"""Runs mypy where it can say something: numpy describes its types anew in every version.

The sources are typed for numpy 2.4 and newer. Python 3.10 and ROS 2 installations have an older one, to whose types the
same correct code is wrong; what runs there is tested all the same.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np

TYPED_FOR = (2, 4)


def main() -> int:
    """Checks the package, or says why not.

    Returns:
        mypy's exit code, 0 when it is not run.
    """
    if tuple(int(part) for part in np.__version__.split(".")[:2]) < TYPED_FOR:
        print(f"types are not checked: the sources are typed for numpy 2.4 and newer, here is {np.__version__}")
        return 0
    return subprocess.run([sys.executable, "-m", "mypy"]).returncode


if __name__ == "__main__":
    sys.exit(main())
