"""An SQLite database with one small table, written by hand.

SQLite's own bytes differ from one version and build to another; these do not. The format is the documented one.
"""

from __future__ import annotations

import struct

PAGE = 1024
VERSION = 3_045_000  # of the SQLite that is said to have written it


def table(name: str, columns: str, rows: list[tuple[str, int]]) -> bytes:
    """A table whose first column is its INTEGER PRIMARY KEY, followed by a text and a number in each row."""
    schema = f"CREATE TABLE {name}({columns})"
    first = _leaf([_cell(1, ["table", name, name, 2, schema])], start=100)
    second = _leaf([_cell(number, [None, *row]) for number, row in enumerate(rows, 1)])
    return _header() + first[100:] + second


def _header() -> bytes:
    """The first hundred bytes: two pages, text in UTF-8, nothing free."""
    fields = struct.pack(">16sHBBBBBB", b"SQLite format 3\0", PAGE, 1, 1, 0, 64, 32, 32)
    fields += struct.pack(">12I", 1, 2, 0, 0, 1, 4, 0, 0, 1, 0, 0, 0)
    return fields + bytes(20) + struct.pack(">II", 1, VERSION)


def _leaf(cells: list[bytes], start: int = 0) -> bytes:
    """A page of a table's rows: pointers from its start, rows from its end."""
    page = bytearray(PAGE)
    position, places = PAGE, []
    for cell in cells:
        position -= len(cell)
        page[position : position + len(cell)] = cell
        places.append(position)
    head = struct.pack(">BHHHB", 13, 0, len(cells), position, 0) + struct.pack(f">{len(places)}H", *places)
    if start + len(head) > position:
        raise ValueError("the rows do not fit into one page")
    page[start : start + len(head)] = head
    return bytes(page)


def _cell(row: int, values: list[str | int | None]) -> bytes:
    """A row: its number, the types of its values, then these."""
    types, body = b"", b""
    for value in values:
        if value is None:
            types += _variable(0)
        elif isinstance(value, int):
            types += _variable(4)
            body += struct.pack(">i", value)
        else:
            encoded = value.encode()
            types += _variable(13 + 2 * len(encoded))
            body += encoded
    record = _variable(len(types) + 1) + types + body
    return _variable(len(record)) + _variable(row) + record


def _variable(number: int) -> bytes:
    """A number in groups of seven bits, the highest first."""
    groups = [number & 0x7F]
    while number > 0x7F:
        number >>= 7
        groups.append(0x80 | number & 0x7F)
    return bytes(reversed(groups))
