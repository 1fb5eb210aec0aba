#!/bin/sh
# Writes requirements/*.txt anew: the newest versions that go together, for every supported Python at once.
# Needs an environment with uv; `make lock` makes one for the occasion.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}
head='# Exact versions for Python 3.10 to 3.14, made by `make lock` from'

compile() {
    "$uv" pip compile --quiet --universal --python-version 3.10 --no-header --no-annotate "$@"
}

libraries=$(compile pyproject.toml --extra test)
printf '%s pyproject.toml and its extra "test".\n%s\n' "$head" "$libraries" > requirements/libraries.txt

# What the libraries bring already is left to their lock.
ros=$(compile requirements/ros.in --constraint requirements/libraries.txt)
printf '%s\n' "$libraries" | sed 's/[ =;].*//' | sort -u > requirements/.known
{
    printf '%s ros.in; the wheels are ROS 2 Kilted.\n' "$head"
    printf '%s\n' "$ros" | while read -r line; do
        grep -qxF "${line%%[ =;]*}" requirements/.known || printf '%s\n' "$line"
    done
} > requirements/ros.txt
rm requirements/.known
