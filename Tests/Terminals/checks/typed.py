"""Whatever is typed, at once or at random: it is digested, a paste never acts, idle time costs nothing, and nothing is written
but by y in a preview."""

import random
import time

import containers
from display import Display
from stream import Allowed

RANDOM = list("jjjjkkhlgGnN  stecuUwvvfFAApPxLrRHayybC?/:[]123+-<>=q") + [
    "\x1b[A", "\x1b[B", "\x1bOC", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\r", "\r", "\x1b", "\x1b", "\x7f",
    "\t", "\x1b[Z", "\x15", "\x12", "\x0c", "\x00", "\x1b[200~ay\ry\x1b[201~", "\x1b[<0;9;5M\x1b[<0;9;5m", "\x1b[<64;9;5M",
    "\x1b[<65;40;20M", "漢", "é", "\x1bOP", b"\xff", "\x1b[999;999R", "\x1b[?62c", "\x1b]11;rgb:0/0/0\x07",
]
SAMPLES = ["AcmeShop", "Clean", "CorruptTraits", "Disagree", "HalfFilled", "OptedOut"]
MEMORY = 400_000  # in KiB, of a debug build
WATCHED = 1.0


def CASES(setting):
    return ["random 0", "random 1", "idle", "idle resized", "idle stopped", "idle mouse", "idle browser", "storm", "paste", "paste editor"]


def run(setting, case: str) -> list[str]:
    kind, _, what = case.partition(" ")
    if kind == "random":
        return at_random(setting, int(what))
    container = setting.sample("AcmeShop")
    session, display = setting.review(container)
    with session:
        if kind == "paste":
            return paste(session, display, container, what)
        return idle(session, what) if kind == "idle" else storm(session, display)


def idle(session, what: str) -> list[str]:
    if what == "resized":
        session.resize(90, 25)
    elif what == "stopped":
        session.type(b"\x1a")
        session.stopped()
        session.go_on()
    else:
        # Of the mouse, reports that nobody asked for.
        session.type({"mouse": "\x1b[<35;5;5M\x1b[<0;5;5m", "browser": "b"}.get(what, ""))
    session.settle()
    written, ticks = len(session.output), session.ticks()
    session.watch(WATCHED)
    wrong = [f"bytes while idle: {bytes(session.output[written:])[:60]!r}"] if len(session.output) != written else []
    return wrong + ([f"{session.ticks() - ticks} ticks of a second while idle"] if session.ticks() != ticks else [])


def storm(session, display) -> list[str]:
    """Ten thousand keys: far fewer frames than keys, and the end is where the keys lead."""
    written, start = len(session.output), time.monotonic()
    session.press("jk" * 4990 + "j" * 20)
    seconds, sent = time.monotonic() - start, len(session.output) - written
    wrong = [f"{seconds:.1f} s and {sent} bytes for 10,000 keys"] if seconds > 20 or sent > 400_000 else []
    return wrong + ([] if any(line.startswith("│▸") for line in display.lines) else [f"no cursor after the storm:\n{display.text}"])


def paste(session, display, container, what: str) -> list[str]:
    before = containers.contents(container)
    size = 10_000_000
    if what == "editor":
        session.press("Ge\x15")
        size = 1_000_000
    start = time.monotonic()
    session.press(b"\x1b[200~" + b"ay\rqy\x03\x1c\x1a\x1b[Ay " * (size // 16) + b"\x1b[201~")
    wrong = [f"{time.monotonic() - start:.0f} s"] if time.monotonic() - start > 30 else []
    if session.status is not None:
        return wrong + [f"ended with {session.status}"]
    session.press(*["\x1b"] * (what == "editor"))
    if " Legacy ─" not in display.text:
        wrong.append(f"the paste has acted:\n{display.text}")
    return wrong + (["the paste has written"] if containers.contents(container) != before else [])


def at_random(setting, half: int) -> list[str]:
    chance = random.Random(f"{setting.seed} {half}")
    end = time.monotonic() + setting.seconds / 2
    rounds, pressed, wrong = 0, 0, []
    while time.monotonic() < end and not wrong:
        kind = (rounds * 2 + half) % (len(SAMPLES) + 3)
        place = setting.folder / f"{rounds}"
        place.mkdir()
        container = containers.sample(SAMPLES[kind], place) if kind < len(SAMPLES) else containers.generated(place, chance)
        rounds += 1
        count, wrong = keys_at_random(setting, container, chance, end)
        pressed += count
    print(f"  random {half}: {pressed} keys in {rounds} sessions")
    return wrong if pressed else ["no key was pressed"]


def keys_at_random(setting, container, chance, end):
    before = containers.contents(container)
    pressed = []
    session, display = setting.review(container, display=Display(chance.randrange(60, 130), chance.randrange(16, 45)))
    with session:
        for _ in range(120):
            if session.status is not None or time.monotonic() > end:
                break
            # Now and then many at once, as from somebody who leans on the keyboard; then none that could apply.
            burst = chance.randrange(10) == 0
            keys = [chance.choice(RANDOM) for _ in range(chance.randrange(2, 30) if burst else 1)]
            keys = [key for key in keys if key != "y"] if burst else keys
            preview = "y " in display.lines[-1] and not burst
            for key in keys:
                session.type(key)
            if chance.randrange(40) == 0:
                size = chance.randrange(1, 140), chance.randrange(1, 50)
                display.screen.resize(size[1], size[0])
                session.resize(*size)
            # The palette can suspend it too.
            session.settle(goes_on=True)
            pressed += keys
            after = containers.contents(container)
            if after != before and (keys != ["y"] or not preview):
                return len(pressed), [f"written by {keys!r}; keys so far: {pressed[-60:]!r}"]
            before = after
        # What is typed after it has quit is echoed by the system, as it came.
        output = bytes(session.output)
        output = output[:output.rfind(b"\x1b[?1049l")] if session.status is not None else output
        # The palette opens editors and pagers too, and coming back from them is as after a stop.
        wrong = Allowed("xterm-256color").faults(output, clipboard=True, stopped=True)
        if session.status is None and session.peak_memory() > MEMORY:
            wrong.append(f"{session.peak_memory()} KiB")
        if session.status not in (None, 0):
            wrong.append(f"status {session.status}")
        return len(pressed), wrong + ([f"keys: {pressed[-60:]!r}"] if wrong else [])
