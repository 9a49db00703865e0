"""S3, or a store that speaks its protocol. boto3 finds the credentials as `aws` does."""

import functools
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import IO, NamedTuple

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError

PIECE, LARGEST_DOCUMENT, TRIES = 1 << 20, 64 << 20, 3
HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs")
# Unicode calls these default-ignorable, though they are in another category.
IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


class FleetError(Exception):
    """What happened, where, and what to do. `status` is the exit status of the command."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(visible(message))
        self.status = status


def visible(text: str) -> str:
    """Escapes whatever a terminal does not show, as the rows of an audit do."""
    def escaped(match: re.Match) -> str:
        one = match[0]
        is_hidden = unicodedata.category(one) in HIDDEN and one != "\u3000" or IGNORABLE.match(one)
        return json.dumps(one)[1:-1] if is_hidden else one
    return re.sub("[^ -~]", escaped, text)


def first_line(error: object) -> str:
    return visible((str(error).strip().splitlines() or [type(error).__name__])[0])


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


class Object(NamedTuple):
    key: str
    size: int
    etag: str


class Place(NamedTuple):
    """A bucket, and a prefix that is empty or ends with a slash."""

    bucket: str
    prefix: str

    @classmethod
    def at(cls, url: str) -> "Place":
        match = re.fullmatch(r"s3://([A-Za-z0-9][A-Za-z0-9._-]{1,254})(?:/(.*?)/?)?", url, re.S)
        if not match:
            # The text is not repeated: it may have a password.
            raise FleetError("The places of containers and audits are s3://BUCKET or s3://BUCKET/PREFIX.", 64)
        return cls(match[1], match[2] + "/" if match[2] else "")

    @property
    def url(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"

    def listed(self) -> Iterator[Object]:
        last = ""
        pages = client().get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix)
        for key, size, etag in pages.search("Contents[].[Key, Size, ETag] || `[]`"):
            if not key.startswith(self.prefix) or key <= last:
                raise FleetError(f"{self.url} does not list its objects by name, like a directory bucket.")
            last = key
            yield Object(key, size, etag)

    def first(self, prefix: str) -> str | None:
        found = client().list_objects_v2(Bucket=self.bucket, Prefix=prefix, MaxKeys=1).get("Contents")
        return found[0]["Key"] if found else None

    def fetch(self, key: str, file: IO[bytes], most: int, etag: str | None = None) -> int | None:
        """Copies an object into a file, if it is still the same, and gives its size; None if there is none. It stops
        behind `most` bytes."""
        only = {"IfMatch": etag} if etag else {}
        # botocore repeats a request, but not one whose answer was cut.
        for attempt in reversed(range(TRIES)):
            size = file.seek(0)
            file.truncate()
            try:
                body = client().get_object(Bucket=self.bucket, Key=key, **only)["Body"]
                while size <= most and (piece := body.read(PIECE)):
                    size += file.write(piece)
                return size
            except ClientError as error:
                if code(error) == "NoSuchKey":
                    return None
                raise
            except (IncompleteReadError, HTTPClientError):
                if not attempt:
                    raise

    def document(self, name: str) -> dict | None:
        """An object of JSON in a file of the audit; None if there is no file."""
        file = io.BytesIO()
        if self.fetch(self.prefix + name, file, LARGEST_DOCUMENT) is None:
            return None
        try:
            return dict(json.loads(file.getvalue()))
        except (ValueError, TypeError, RecursionError) as error:
            raise FleetError(f"{self.url}{name} is damaged.") from error

    def put(self, name: str, data: bytes | IO[bytes], is_new: bool) -> bool:
        """Writes a file of the audit; if `is_new`, unless there is one. Of several writers, one wins."""
        only = {"IfNoneMatch": "*"} if is_new else {}
        try:
            client().put_object(Bucket=self.bucket, Key=self.prefix + name, Body=data, **only)
        except ClientError as error:
            if code(error) == "PreconditionFailed":
                return False
            raise
        return True


@functools.cache
def client():
    # botocore itself tries again: after errors of the server, lost connections and throttling. A session of its own,
    # because several threads may come here first, and the default session is not made for that.
    retries = {"mode": "standard", "total_max_attempts": 6}
    return boto3.Session().client("s3", config=Config(retries=retries, max_pool_connections=32))


def code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
