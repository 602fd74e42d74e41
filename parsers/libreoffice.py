"""Convert files with LibreOffice: headless, with a throw-away profile, no macros and no network."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from parsers.base import DamagedFileError, MissingToolError, ParseTimeoutError

_PROGRAMS = ("soffice", "libreoffice")
_MAX_SECONDS = 300.0
"""Longest conversion (a guess: a deck of 200 slides takes some 20 s on a slow core)."""
_SHARE_OF_LIMIT = 0.8
"""Of a document's time limit: the process group must be killed before its parent is."""
_TAIL = 300
"""Characters of the program's complaint kept in a message."""
_NODE = "org.openoffice"
_SETTINGS = (
    (f"{_NODE}.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    (f"{_NODE}.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    (f"{_NODE}.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    (f"{_NODE}.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    (f"{_NODE}.Office.Writer/Content/Update", "Link", "0"),
    (f"{_NODE}.Office.Calc/Content/Update", "Link", "1"),
    (f"{_NODE}.Inet/Settings", "ooInetProxyType", "1"),
    (f"{_NODE}.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    (f"{_NODE}.Inet/Settings", "ooInetHTTPProxyPort", "9"),
    (f"{_NODE}.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    (f"{_NODE}.Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)
"""No macros, no links followed, and whatever still asks the web asks a closed port of this
machine. Calc counts "never" as 1, Writer as 0."""


def find_libreoffice() -> str | None:
    """Return the path of LibreOffice's program, None where it is not installed."""
    return next((path for name in _PROGRAMS if (path := shutil.which(name))), None)


def convert(data: bytes, extension: str, target: str, timeout_s: float) -> bytes:
    """Return a file in another format.

    Args:
        data: The file's bytes.
        extension: Of its format, without a dot; tells LibreOffice what the bytes promise to be.
        target: Extension of the format wanted.
        timeout_s: Seconds that the document may take as a whole; most of them are waited for.

    Raises:
        MissingToolError: LibreOffice is not installed.
        ParseTimeoutError: It took too long; it was stopped with all its processes.
        DamagedFileError: It made nothing of the file.
    """
    program = find_libreoffice()
    if program is None:
        raise MissingToolError(
            f"a .{extension} file is read through LibreOffice, which is not installed",
            "Install LibreOffice (Debian: apt install libreoffice-writer libreoffice-calc "
            f"libreoffice-impress), or save the file as .{target} or PDF and ingest that.",
        )
    with tempfile.TemporaryDirectory(prefix="microtome-office-") as name:
        folder = Path(name)
        source = folder / f"document.{extension}"
        source.write_bytes(data)
        _write_profile(folder / "profile")
        command = [
            program, f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck",
            "--convert-to", target, "--outdir", str(folder / "out"), str(source),
        ]  # fmt: skip
        said = _run(command, folder, min(_MAX_SECONDS, timeout_s * _SHARE_OF_LIMIT))
        made = folder / "out" / f"document.{target}"
        if not made.is_file():
            raise DamagedFileError(
                f"LibreOffice could not convert the .{extension} file"
                + (f": {said[-_TAIL:]}" if said else "")
            )
        return made.read_bytes()


def _run(command: list[str], folder: Path, limit_s: float) -> str:
    """Run a command in a process group of its own; return what it said, never leave it behind."""
    with (folder / "log").open("w+b") as log:  # a pipe could be held open by a grandchild
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "SAL_USE_VCLPLUGIN": "svp"},
            start_new_session=True,
        )
        try:
            process.wait(limit_s)
        except subprocess.TimeoutExpired as error:
            raise ParseTimeoutError(
                f"LibreOffice was stopped after {limit_s:g} s of converting"
            ) from error
        finally:
            _kill_group(process)
        log.seek(0)
        return " ".join(log.read().decode("utf-8", "replace").split())


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started; soffice is a script that starts the program."""
    with contextlib.suppress(ProcessLookupError):  # all of them have ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _write_profile(folder: Path) -> None:
    items = "".join(
        f'<item oor:path="/{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>"
        for path, name, value in _SETTINGS
    )
    (folder / "user").mkdir(parents=True)
    (folder / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{items}</oor:items>\n',
        "utf-8",
    )
