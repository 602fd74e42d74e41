#!/bin/sh
# Build .venv with microtome, its development tools and, where this user may, Tesseract.
# Run through `make setup`. Needs Python 3.11 or newer; on Debian and Ubuntu it installs what else
# is missing when it is root or may use sudo without a password, and says what to do otherwise.
set -eu

PYTHON=${PYTHON:-python3}
TORCH="torch==2.13.0"
PACKAGES="tesseract-ocr tesseract-ocr-eng tesseract-ocr-por tesseract-ocr-fra tesseract-ocr-deu tesseract-ocr-osd"

say() { printf 'setup: %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo "$@"
    else return 1
    fi
}

apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || return 1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "Python 3.11 or newer is needed; $PYTHON is $("$PYTHON" --version 2>&1)"; exit 1; }

if [ ! -x .venv/bin/pip ]; then
    "$PYTHON" -m venv .venv 2>/dev/null || {
        say "this Python has no venv module; installing it"
        rm -rf .venv
        apt_install python3-venv || { say "install python3-venv, then run make again"; exit 1; }
        "$PYTHON" -m venv .venv; }
fi
.venv/bin/python -m pip install -q --upgrade "pip>=25.1"

# Torch first, and the CPU build: the default build for Linux on x86-64 brings gigabytes of CUDA.
if ! .venv/bin/python -c 'import torch' 2>/dev/null; then
    if .venv/bin/python -m pip install --quiet --dry-run --report - "$TORCH" 2>/dev/null |
        .venv/bin/python -c '
import json, sys
names = [item["metadata"]["name"].lower() for item in json.load(sys.stdin)["install"]]
sys.exit(any(name.startswith(("nvidia-", "cuda-", "triton")) for name in names))'
    then
        .venv/bin/python -m pip install -q "$TORCH"
    else
        say "choosing the CPU build of torch (a CUDA build can be installed over it later)"
        .venv/bin/python -m pip install -q uv
        VIRTUAL_ENV=$PWD/.venv .venv/bin/uv pip install -q --torch-backend=cpu "$TORCH" || {
            say "no CPU build can be reached; taking the default build"
            .venv/bin/python -m pip install -q "$TORCH"; }
    fi
fi
.venv/bin/python -m pip install -q -c constraints.txt --group dev -e .

have=$(tesseract --list-langs 2>/dev/null || true)
for language in eng por fra deu osd; do
    case "$have" in *"$language"*) ;; *) missing=1 ;; esac
done
if [ -n "${missing:-}" ]; then
    say "installing Tesseract with English, Portuguese, French, German and orientation data"
    # shellcheck disable=SC2086
    apt_install $PACKAGES || say "could not install Tesseract: scanned pages will be reported as \
failures until you install: $PACKAGES"
fi
say "done"
