"""Runs `carryover audit` over the containers of an object store, on a Dask cluster."""
