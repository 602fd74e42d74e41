"""microtome: documents in, aligned chunks and vectors out.

The face of the project: version, base errors, and :func:`main`. Importing it costs nothing;
every folder may import it, and it imports a folder only inside :func:`main`.

The tree of errors (each subclass lives beside what raises it)::

    MicrotomeError                exit 1
    ├── TransientError            exit 75  the same call may succeed later
    ├── SettingsError             exit 2   configs/settings.py
    ├── SourceError               exit 2   tasks/discovery
    ├── ParserError               exit 65  parsers/base.py (a row in the failures table)
    ├── SliceSizeError            exit 2   tasks/slicing
    ├── EncoderError              exit 1   tasks/embedding
    └── StorageError              exit 1   storage
"""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"


class MicrotomeError(Exception):
    """Base of every error raised on purpose. Subclasses live beside what raises them.

    Attributes:
        exit_code: What ``microtome`` returns to the shell, 1 unless a subclass says otherwise.
    """

    exit_code = 1


class TransientError(MicrotomeError):
    """The same call may succeed later (a lock, a timeout): tasks retry this and nothing else."""

    exit_code = 75  # EX_TEMPFAIL of sysexits.h


def main() -> None:
    """Run the command line, after a check that our folders are the ones that were imported."""
    import flows

    ours, theirs = (Path(f).resolve().parent for f in (__file__, flows.__path__[0]))
    if ours != theirs:
        raise SystemExit(
            f"microtome: the folder {theirs / 'flows'} hides microtome's own package of that name; "
            "run the command from another folder"
        )
    from flows.cli import run

    raise SystemExit(run())


if __name__ == "__main__":
    from microtome import main as _main  # not this copy: `python -m` names it __main__

    _main()
