#!/usr/bin/env bash
# Makes a virtual environment with Python 3.11 or 3.12: venv.sh DIRECTORY [PYTHON]
set -euo pipefail
directory=$1
fits='import sys; raise SystemExit(not (3, 11) <= sys.version_info[:2] <= (3, 12))'
if [ -x "$directory/bin/python" ] && "$directory/bin/python" -c "$fits" 2>/dev/null; then
  exit 0
fi
for python in ${2:-} python3.12 python3.11 python3 python; do
  if "$python" -c "$fits" >/dev/null 2>&1; then
    "$python" -m venv --clear "$directory"
    exit 0
  fi
done
if command -v uv >/dev/null 2>&1; then
  uv venv --quiet --clear --seed --python 3.12 "$directory"
  exit 0
fi
echo "factstream needs Python 3.11 or 3.12 (found: $(python3 --version 2>/dev/null || echo none)): install one of them, or uv, and repeat; or name one with PYTHON=…" >&2
exit 1
