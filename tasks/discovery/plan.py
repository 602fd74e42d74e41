"""Decide what a run has to do: compare the sources with the catalog, and write it down.

A plan is a file in the run's folder, and each batch is another: steps pass paths, not lists.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from configs.settings import RunSettings, Settings
from parsers.base import ParserError
from parsers.model import Failure
from parsers.registry import parser_for
from storage.catalog import Catalog
from storage.durable import atomic_file
from storage.parts import part_exists
from storage.paths import StorePaths
from storage.rows import DocumentRow, DocumentStatus
from tasks.discovery.recipe import attempt_of, recipe_of
from tasks.discovery.sources import Discovery, FoundFile, discover
from tasks.embedding.encoder import encoder_info
from tasks.enrichment.key import ENRICH_STAGE
from tasks.loading.files import UnknownTypeError, identify, local_path, read_bytes
from tasks.slicing.routes import slicing_key


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to process.

    Attributes:
        uri: The file.
        root: The source under which it was found.
        sha256: Of its bytes when the plan was made.
        size_bytes: Its length.
        mtime_ns: Time of its last change, 0 where not known.
        recipe: What it will be made with.
        attempt: Recipe and everything that decides success.
        change: ``new`` or ``changed``.
        again: Also where its part exists: a part of the document failed and may be read now.
    """

    uri: str
    root: str
    sha256: str
    size_bytes: int
    mtime_ns: int
    recipe: str
    attempt: str
    change: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch's manifest and how many documents it names."""

    path: str
    documents: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run has to do.

    Attributes:
        run_id: Name of the run.
        path: The plan's own file.
        batches: To process.
        unchanged: URIs whose part is in the index already.
        gone: URIs that the index holds and the sources no longer name.
        failed_before: URIs that failed before, unchanged since: not tried again.
        failures: Files that could not even be looked at, found while planning.
        failed_files: The planned files those failures belong to.
        skipped: (uri, reason) of files of unknown type.
    """

    run_id: str
    path: str
    batches: tuple[Batch, ...]
    unchanged: tuple[str, ...]
    gone: tuple[str, ...]
    failed_before: tuple[str, ...]
    failures: tuple[Failure, ...]
    failed_files: tuple[PlannedFile, ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def to_process(self) -> int:
        """Documents in all batches."""
        return sum(b.documents for b in self.batches)


def make_plan(
    sources: Sequence[str], store: Path, settings: Settings, retry_failed: bool = False
) -> Plan:
    """Compare ``sources`` with the catalog of ``store`` and write the plan.

    Args:
        sources: Files, folders, globs or URLs.
        store: Folder of the index; made when absent.
        settings: All settings.
        retry_failed: Also process what failed before and has not changed.

    Raises:
        SourceError: A source names nothing.
    """
    paths = StorePaths(store)
    encoder = encoder_info(settings.encoder).id
    discovery = discover(sources, exclude=store)
    run_id = f"{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
    with Catalog(paths) as catalog:
        catalog.close_dead_runs()
        catalog.start_run(
            run_id,
            json.loads(settings.model_dump_json(exclude={"parsing": {"passwords"}})),
            encoder,
        )
        known = {row.uri: row for row in catalog.documents_under(discovery.roots)}
        retry = {
            f.uri
            for f in catalog.failures_of()
            if retry_failed or (f.transient and (f.page is None or f.stage == ENRICH_STAGE))
        }
    sorted_out = _Sorted(paths, settings, encoder)
    for file in discovery.files:
        sorted_out.sort(file, known.get(file.uri), file.uri in retry)
    folder = paths.run(run_id)
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        run_id=run_id,
        path=str(folder / "plan.json"),
        batches=tuple(_write_batches(folder, sorted_out.planned, settings.run)),
        unchanged=tuple(sorted_out.unchanged),
        gone=tuple(_gone(discovery, known)),
        failed_before=tuple(sorted_out.failed_before),
        failures=(*sorted_out.failures, *_unreadable_folders(discovery)),
        failed_files=tuple(sorted_out.failed_files),
        skipped=tuple(sorted_out.skipped),
    )
    write_json(Path(plan.path), asdict(plan))
    return plan


class _Sorted:
    """The files of a run, each in the list it belongs to."""

    def __init__(self, paths: StorePaths, settings: Settings, encoder: str) -> None:
        self._paths = paths
        self._settings = settings
        self._slicing = slicing_key(settings.slicing, settings.routing)
        self._encoder = encoder
        self.planned: list[PlannedFile] = []
        self.unchanged: list[str] = []
        self.failed_before: list[str] = []
        self.failures: list[Failure] = []
        self.failed_files: list[PlannedFile] = []
        self.skipped: list[tuple[str, str]] = []

    def sort(self, file: FoundFile, row: DocumentRow | None, retry: bool) -> None:
        """Look at one file and put it where it belongs."""
        change = "new" if row is None or row.part is None else "changed"
        sha256, size = "", 0
        try:
            data = read_bytes(file.uri, self._settings.run.max_file_bytes)
            source = identify(file.uri, data)
            sha256, size = source.sha256, source.size_bytes
            parser = parser_for(source.media_type, data, file.uri)
        except UnknownTypeError as error:
            self.skipped.append((file.uri, error.message))
            return
        except ParserError as error:
            self.failures.append(error.as_failure(file.uri, "discover"))
            self.failed_files.append(
                PlannedFile(file.uri, file.root, sha256, size, _mtime(file.uri), "", "", change)
            )
            return
        recipe = recipe_of(parser, self._settings, self._slicing, self._encoder)
        attempt = attempt_of(recipe, self._settings.parsing)
        mtime = _mtime(file.uri)
        planned = PlannedFile(
            file.uri, file.root, sha256, size, mtime, recipe, attempt, change, retry
        )
        if row is None or row.sha256 != sha256:
            self.planned.append(planned)
        elif row.status is DocumentStatus.FAILED:
            if retry or row.recipe != attempt:
                self.planned.append(planned)
            else:
                self.failed_before.append(file.uri)
        elif row.recipe != recipe or retry or not self._has_part(row):
            self.planned.append(planned)
        else:
            self.unchanged.append(file.uri)

    def _has_part(self, row: DocumentRow) -> bool:
        return row.part is not None and part_exists(self._paths, row.part)


def _mtime(uri: str) -> int:
    path = local_path(uri)
    try:
        return 0 if path is None else Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def _gone(discovery: Discovery, known: dict[str, DocumentRow]) -> Iterator[str]:
    """Yield what is no longer named, except under folders that could not be listed."""
    found = {f.uri for f in discovery.files}
    unknown = tuple(path.rstrip("/") + "/" for path, _ in discovery.unreadable)
    for uri in known:
        if uri not in found and not uri.startswith(unknown):
            yield uri


def _unreadable_folders(discovery: Discovery) -> Iterator[Failure]:
    for path, reason in discovery.unreadable:
        yield Failure(
            path,
            "discover",
            None,
            "UnreadableFolderError",
            f"{path} cannot be listed: {reason}",
            "Give the account that runs microtome the right to read it; what was indexed from it "
            "stays until then.",
            True,
        )


def _write_batches(folder: Path, files: Iterable[PlannedFile], run: RunSettings) -> Iterator[Batch]:
    """Write the batches' manifests: in order, bounded by documents and by bytes."""
    batch: list[PlannedFile] = []
    size = 0
    number = 0
    for file in files:
        if batch and (
            len(batch) >= run.batch_documents or size + file.size_bytes > run.batch_bytes
        ):
            number += 1
            yield _write_batch(folder, number, batch)
            batch, size = [], 0
        batch.append(file)
        size += file.size_bytes
    if batch:
        yield _write_batch(folder, number + 1, batch)


def _write_batch(folder: Path, number: int, files: Sequence[PlannedFile]) -> Batch:
    path = folder / f"batch_{number:05d}.json"
    write_json(path, {"files": [asdict(f) for f in files]})
    return Batch(str(path), len(files))


def read_batch(path: str) -> list[PlannedFile]:
    """Return the files of a batch's manifest."""
    content: Any = json.loads(Path(path).read_text("utf-8"))
    return [PlannedFile(**f) for f in content["files"]]


def read_plan(path: str) -> Plan:
    """Return the plan that :func:`make_plan` wrote."""
    content: Any = json.loads(Path(path).read_text("utf-8"))
    return Plan(
        run_id=content["run_id"],
        path=content["path"],
        batches=tuple(Batch(**b) for b in content["batches"]),
        unchanged=tuple(content["unchanged"]),
        gone=tuple(content["gone"]),
        failed_before=tuple(content["failed_before"]),
        failures=tuple(Failure(**f) for f in content["failures"]),
        failed_files=tuple(PlannedFile(**f) for f in content["failed_files"]),
        skipped=tuple((uri, reason) for uri, reason in content["skipped"]),
    )


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write ``value`` atomically."""
    with atomic_file(path) as file:
        file.write(json.dumps(value, ensure_ascii=False).encode("utf-8"))
