"""Where the work is done: this machine, a scheduler that runs already, Kubernetes or Slurm."""

import contextlib
import importlib
import logging
from collections.abc import Iterator

import dask
from distributed import Client, LocalCluster

from .failures import Usage

# How many workers may die on a task before it is cut into pieces, to find the culprit.
MOST_DEATHS = 1


@contextlib.contextmanager
def opened(local: int | None, scheduler: str | None, kubernetes: int | None, slurm: int | None) -> Iterator[Client]:
    """A client of the cluster that was asked for; by default, of one with a worker per processor of this machine."""
    dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS})
    with contextlib.ExitStack() as stack:
        if scheduler:
            target = scheduler
        elif kubernetes:
            target = stack.enter_context(made("dask_kubernetes.operator", "KubeCluster", "kubernetes", n_workers=kubernetes))
        elif slurm:
            target = stack.enter_context(made("dask_jobqueue", "SLURMCluster", "slurm"))
            target.scale(slurm)
        else:
            # Temporary keys, because every user of this machine can reach its ports. A run says itself what failed.
            target = stack.enter_context(LocalCluster(
                n_workers=local, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", security=True,
                silence_logs=logging.CRITICAL))
        try:
            yield stack.enter_context(Client(target))
        except OSError as error:
            if not scheduler:
                raise
            raise Usage(f"The scheduler at {scheduler} cannot be reached: {error}") from error


def made(module: str, name: str, extra: str, **options):
    """A cluster of one of Dask's own packages, which reads its settings from Dask's configuration files."""
    try:
        kind = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise Usage(f"{module} is missing: pip install 'carryover-fleet[{extra}]'") from error
    return kind(**options)
