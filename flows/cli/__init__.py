"""The command line: arguments to settings, settings to a flow or a core, errors to exit codes.

Exit codes: 0 all well; 1 error; 2 wrong use; 3 finished but some documents failed. With ``--json``
one object goes to standard output and nothing else; logs and progress go to standard error.
"""

from __future__ import annotations

import os
import sys

import typer

from configs.reference import as_yaml
from configs.settings import load_settings
from flows.cli import doctor, ingest, inspect, parse, search, store
from flows.cli.options import ConfigOption
from microtome import MicrotomeError, __version__

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Documents in, aligned chunks and vectors out, nothing lost between.",
)
for command in (
    ingest.ingest,
    search.search,
    parse.parse,
    inspect.verify,
    inspect.show,
    inspect.ledger,
    store.export,
    store.rebuild,
    store.rollback,
    doctor.doctor,
):
    app.command()(command)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


@app.command()
def settings(config: ConfigOption = None) -> None:
    """Print the settings in effect as a commented YAML file."""
    typer.echo(as_yaml(load_settings(config)), nl=False)


def run(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for key, value in _QUIET.items():
        os.environ.setdefault(key, value)
    try:
        app(args=argv, prog_name="microtome", standalone_mode=True)
    except MicrotomeError as error:
        typer.echo(f"microtome: {error}", err=True)
        return error.exit_code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    except BrokenPipeError:  # the reader of our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


_QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "ERROR",
    "PREFECT_CLI_PROMPT": "false",
    "LANCE_LOG": "error",
    "TOKENIZERS_PARALLELISM": "true",
    "TRANSFORMERS_VERBOSITY": "error",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
"""No telemetry, and no library's chatter between a user and the progress bar."""
