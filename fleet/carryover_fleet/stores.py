"""Object stores: where the containers are, and where the audit is kept."""

import os
import pathlib
import urllib.parse
from datetime import timedelta

import obstore
from obstore.exceptions import AlreadyExistsError, NotFoundError
from obstore.store import LocalStore, from_url

from .failures import Usage

# obstore tries again itself: after errors of the server, lost connections, and bodies that end too soon.
RETRY = {
    "max_retries": 6,
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=15), "base": 2},
    "retry_timeout": timedelta(minutes=3),
}


def open_store(url: str, role: str):
    """Opens the store at a URL, or a folder of this machine.

    Credentials come from the environment. Variables that begin with CARRYOVER_SOURCE_ or CARRYOVER_OUTPUT_ are only for
    that role, so the containers can be read with a key that cannot write.
    """
    prefix = f"CARRYOVER_{role.upper()}_"
    own = {name.removeprefix(prefix).lower(): value for name, value in os.environ.items() if name.startswith(prefix)}
    scheme = urllib.parse.urlsplit(url).scheme
    try:
        if scheme in ("", "file"):
            path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(url).path) if scheme else url).resolve()
            if role == "source" and not path.is_dir():
                raise Usage(f"There is no folder at {url}.")
            path.mkdir(parents=True, exist_ok=True)
            return LocalStore(path)
        return from_url(url.rstrip("/"), config=own or None, retry_config=RETRY)
    except obstore.exceptions.BaseError as error:
        raise Usage(f"{url} cannot be opened: {first_line(error)}") from error


def name_of(url: str) -> str:
    """The last part of a URL's path, or the bucket."""
    parts = urllib.parse.urlsplit(url)
    return parts.path.rstrip("/").rpartition("/")[2] or parts.netloc


def first_line(error: BaseException) -> str:
    """What an error says, without what is only of use to the developers of obstore."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def exists(store, path: str) -> bool:
    try:
        obstore.head(store, path)
    except (NotFoundError, FileNotFoundError):
        return False
    return True


def read(store, path: str) -> bytes | None:
    """The bytes of an object; None if there is none."""
    try:
        return bytes(obstore.get(store, path).bytes())
    except (NotFoundError, FileNotFoundError):
        return None


def put_once(store, path: str, data: bytes) -> bool:
    """Writes an object unless there is one already. Of several writers, exactly one wins."""
    try:
        obstore.put(store, path, data, mode="create")
    except (AlreadyExistsError, FileExistsError):
        return False
    return True
