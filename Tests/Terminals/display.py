"""A terminal of another maker's: pyte, with what it lacks of what curses uses of xterm."""

import copy
import unicodedata
from types import SimpleNamespace

import pyte
import pyte.screens

# pyte lets only marks with a combining class combine, and drops the text after any other.
pyte.screens.unicodedata = SimpleNamespace(combining=lambda _: True, normalize=unicodedata.normalize)


class Screen(pyte.Screen):
    def __init__(self, columns: int, lines: int):
        super().__init__(columns, lines)
        self.last = " "
        self.main = None

    def draw(self, data: str) -> None:
        super().draw(data)
        self.last = data[-1:] or self.last

    def set_mode(self, *modes, **kwargs):
        if kwargs.get("private") and 1049 in modes and self.main is None:
            self.main = (copy.deepcopy(self.buffer), copy.copy(self.cursor))
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes, **kwargs):
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and 1049 in modes and self.main is not None:
            self.buffer, cursor = self.main
            hidden = self.cursor.hidden
            self.cursor = cursor
            self.cursor.hidden = hidden
            self.main = None

    # Repeat, and scroll without moving: pyte does not know them.
    def repeat(self, count=1, **_):
        self.draw(self.last * (count or 1))

    def scroll_lines_up(self, count=1, **_):
        self.scroll_lines(count or 1, self.delete_lines)

    def scroll_lines_down(self, count=1, **_):
        self.scroll_lines(count or 1, self.insert_lines)

    def scroll_lines(self, count, way):
        row, column = self.cursor.y, self.cursor.x
        self.cursor.y = self.margins.top if self.margins else 0
        way(count)
        self.cursor.y, self.cursor.x = row, column


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "b": "repeat", "S": "scroll_lines_up", "T": "scroll_lines_down"}


class Display:
    def __init__(self, columns: int, rows: int):
        self.screen = Screen(columns, rows)
        self.feed = Stream(self.screen).feed

    def cells(self, row: int) -> list[str]:
        """What each column of a row shows; empty in the second half of a wide character."""
        return [self.screen.buffer[row][column].data for column in range(self.screen.columns)]

    @property
    def lines(self) -> list[str]:
        return ["".join(self.cells(row)) for row in range(self.screen.lines)]

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    def picture(self) -> list:
        """Characters and looks of every cell, to compare with another's; a blank has no weight or colour of its own."""
        def look(cell):
            return cell._replace(bold=False, fg="default") if cell.data == " " and not cell.reverse else cell

        return [[tuple(look(self.screen.buffer[row][column])) for column in range(self.screen.columns)] for row in range(self.screen.lines)]

    def broken_frames(self) -> list[str]:
        """Rows whose right border is not in the last column, or whose inner border is not below the one above it. The title
        of a pane may cover where a border meets its line."""
        broken = []
        inner: set[int] = set()
        for row in range(self.screen.lines):
            cells = self.cells(row)
            if not cells[0] or cells[0] not in "│├┌└":
                inner = set()
                continue
            if cells[0] == "┌":
                # A frame of its own, over another.
                inner = set()
            fine = bool(cells[-1]) and cells[-1] in "│┤┐┘"
            titled = cells[0] == "├" and cells[1] == " "
            fine = fine and all(cells[column] and (cells[column] in "│├┤┼┴" or titled and cells[column] != "─") for column in inner)
            if not fine:
                broken.append("".join(cells))
            if cells[0] in "┌├":
                inner = {column for column, cell in enumerate(cells) if cell in ("┬", "┼")} | {
                    column for column in inner if cells[column] in "│├┤┼"}
        return broken
