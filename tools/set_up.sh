#!/bin/sh
# Makes .venv ready: checks what only the system can provide, in one message, then hands over to set_up.py.
# PYTHON chooses the interpreter .venv is made with.
set -eu
python=${PYTHON:-python3}
here=$(dirname "$0")

if ! command -v "$python" >/dev/null 2>&1; then
    echo "climbing_rig needs Python 3.10 or newer, and there is no $python here:" >&2
    echo "    sudo apt-get install python3 python3-venv python3-dev cmake g++" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "climbing_rig needs Python 3.10 or newer; $python is $("$python" --version 2>&1)." >&2
    echo "Name a newer one, for example: make PYTHON=python3.12, after" >&2
    echo "    sudo apt-get install python3.12 python3.12-venv python3.12-dev" >&2
    exit 1
fi
exec "$python" "$here/set_up.py" "$@"
