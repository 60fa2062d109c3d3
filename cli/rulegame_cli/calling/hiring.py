"""Who does the work: `--jobs` processes of this machine, or the workers of a `--scheduler`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from rulegame.extras import require
from rulegame_cli.calling.options import Options, option
from rulegame_cli.calling.usage_errors import CannotBeDone, WrongCall
from rulegame_cli.calling.values import read_count

if TYPE_CHECKING:
    from concurrent.futures import Executor

JOBS = option("NUMBER", "Number of processes. Default: one per core.")


class WorkerOptions(Options):
    """The work can be spread."""

    jobs: str = JOBS
    scheduler: str = option("ADDRESS", "Run on a Dask cluster, e.g. tcp://10.0.0.5:8786.")


class Workers(NamedTuple):
    """What the library is called with."""

    executor: Executor | None
    jobs: int | None


class Hiring:
    """What a call says about workers; read before anything is done, so that a wrong call is told at
    once.
    """

    def __init__(self, options: WorkerOptions) -> None:
        self._jobs = read_count("--jobs", options.jobs)
        self._address = options.scheduler.strip()
        if self._address:
            from rulegame.workers.cluster import is_address

            require("cluster")
            if self._jobs is not None:
                raise WrongCall(
                    "--jobs and --scheduler cannot be combined: the cluster has its own workers"
                )
            if not is_address(self._address):
                expected = "expected an address such as tcp://10.0.0.5:8786"
                raise WrongCall(f"--scheduler: {expected}, not '{options.scheduler}'")

    @contextmanager
    def hired(self) -> Iterator[Workers]:
        """The workers, while they are needed; `CannotBeDone` if they do not do their work."""
        from rulegame.workers import OtherVersion, WorkersLost
        from rulegame.workers.cluster import NoCluster, connect

        cluster: Any = connect(self._address) if self._address else nullcontext()
        try:
            with cluster as executor:
                yield Workers(executor, self._jobs)
        except (NoCluster, OtherVersion) as refusal:
            raise CannotBeDone(str(refusal)) from None
        except WorkersLost as loss:
            hint = "" if self._address else ". Try --jobs 1 or a lower --max-memory."
            raise CannotBeDone(f"{loss}{hint}") from None
        except OSError as error:  # no more processes, no more files
            raise CannotBeDone(f"Cannot start workers: {error}") from None
