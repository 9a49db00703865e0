"""Runs `carryover audit` over the containers of an S3 bucket, on a Dask cluster."""

from .audit import Progress, audit
from .merge import merge
from .store import FleetError

__all__ = ["FleetError", "Progress", "audit", "merge"]
__version__ = "0.1.0"
