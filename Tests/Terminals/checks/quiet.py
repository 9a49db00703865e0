"""Idle, it writes nothing and takes no time; a flood of keys or a huge paste is digested, and a paste never acts."""

import time

import containers
from display import Display

WATCHED = 1.0


def CASES(setting):
    return ["idle", "idle resized", "idle stopped", "idle mouse", "idle browser", "storm", "storm slow", "paste", "paste editor",
            "paste torn"]


def run(setting, case: str) -> list[str]:
    kind, _, what = case.partition(" ")
    display = Display(100, 30)
    container = setting.sample("AcmeShop")
    with setting.review(container, display=display) as session:
        session.settle()
        if kind == "idle":
            return idle(session, what)
        if kind == "storm":
            return storm(session, display)
        return paste(setting, session, display, container, what)


def idle(session, what: str) -> list[str]:
    if what == "resized":
        session.resize(90, 25)
    elif what == "stopped":
        session.type(b"\x1a")
        session.stopped()
        session.go_on()
    elif what == "mouse":
        # Moved and released: reports that nobody asked for.
        session.type("\x1b[<35;5;5M\x1b[<0;5;5m")
    elif what == "browser":
        session.type("b")
    session.settle()
    written, ticks = len(session.output), session.ticks()
    end = time.monotonic() + WATCHED
    while time.monotonic() < end:
        session.take(end - time.monotonic() if end > time.monotonic() else 0)
    wrong = []
    if len(session.output) != written:
        wrong.append(f"{len(session.output) - written} bytes while idle: {bytes(session.output[written:])[:60]!r}")
    if session.ticks() != ticks:
        wrong.append(f"{session.ticks() - ticks} ticks of a second while idle")
    return wrong


def storm(session, display) -> list[str]:
    """Ten thousand keys: far fewer frames than keys, and the end is where the keys lead."""
    written, start = len(session.output), time.monotonic()
    session.type("jk" * 4990 + "j" * 20)
    session.settle()
    seconds, sent = time.monotonic() - start, len(session.output) - written
    wrong = []
    if seconds > 20:
        wrong.append(f"{seconds:.1f} s for 10,000 keys")
    if sent > 400_000:
        wrong.append(f"{sent} bytes for 10,000 keys")
    if not any(line.startswith("│▸") for line in display.lines):
        wrong.append(f"no cursor after the storm:\n{display.text}")
    print(f"  storm: 10,000 keys in {seconds:.2f} s, {sent} bytes")
    return wrong


def paste(setting, session, display, container, what: str) -> list[str]:
    before = containers.contents(container)
    if what == "editor":
        session.type("Ge\x15")
        session.settle()
    size = {"": 10_000_000, "editor": 1_000_000, "torn": 300_000}[what]
    start = time.monotonic()
    text = b"ay\rqy\x03\x1c\x1a\x1b[Ay " * (size // 16)
    session.type(b"\x1b[200~" + text)
    if what == "torn":
        # The end comes in pieces, and keys right behind it.
        for piece in (b"\x1b", b"[20", b"1"):
            session.type(piece)
            while session.take(0.002):
                pass
    session.type(b"\x1b[201~" if what != "torn" else b"~")
    session.settle()
    seconds = time.monotonic() - start
    wrong = [] if seconds < 30 else [f"{seconds:.0f} s"]
    print(f"  paste {what}: {size} bytes in {seconds:.2f} s")
    if session.status is not None:
        return wrong + [f"ended with {session.status}"]
    session.type("\x1b" if what == "editor" else "")
    session.settle()
    if " Legacy ─" not in display.text:
        wrong.append(f"the paste has acted:\n{display.text}")
    if containers.contents(container) != before:
        wrong.append("the paste has written")
    return wrong
