#!/bin/sh
# Writes requirements/*.txt anew: the newest versions that go together, for every supported Python at once.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-python3}" -m venv "$scratch"
"$scratch/bin/pip" install --quiet --disable-pip-version-check uv

compile() {
    "$scratch/bin/uv" pip compile --quiet --universal --python-version 3.10 --no-header --no-annotate "$@"
}

made='# Exact versions for Python 3.10 to 3.14, made by `make lock` from'
{
    echo "$made setup.cfg and its extra \"test\"."
    compile setup.cfg --extra test
} > "$scratch/libraries.txt"
{
    echo "$made setup.cfg and its extra \"test\", for the numpy 1 of a ROS 2 installation."
    echo "numpy<2" > "$scratch/numpy1"
    compile setup.cfg --extra test --constraint "$scratch/numpy1"
} > "$scratch/libraries-numpy1.txt"
compile requirements/ros.in --constraint "$scratch/libraries.txt" > "$scratch/ros.all"

# What the libraries bring already is left to their lock.
sed 's/[ =].*//' "$scratch/libraries.txt" | sort -u > "$scratch/known"
{
    echo "$made ros.in; the wheels are ROS 2 Kilted."
    while read -r line; do
        grep -qxF "${line%%[ =]*}" "$scratch/known" || echo "$line"
    done < "$scratch/ros.all"
} > "$scratch/ros.txt"
cp "$scratch/libraries.txt" "$scratch/libraries-numpy1.txt" "$scratch/ros.txt" requirements/
