"""Random keys on the real command, on every sample and on random containers: it never crashes, its memory is bounded, and
it writes only after a preview was shown, then a was pressed, then y."""

import random
import time

import containers
from display import Display
from stream import Allowed

PLAIN = list("jjjjkkhlgGnN  stecuUwvvfFAApPxLrRHayybC?/:[]123+-<>=q") + [
    "\x1b[A", "\x1b[B", "\x1bOC", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\r", "\r", "\x1b", "\x1b", "\x7f",
    "\t", "\x1b[Z", "\x15", "\x12", "\x0c", "\x00", "\x1b[200~ay\ry\x1b[201~", "\x1b[<0;9;5M\x1b[<0;9;5m", "\x1b[<64;9;5M",
    "\x1b[<65;40;20M", "漢", "é", "\x1bOP", "\xff", "\x1b[999;999R", "\x1b[?62c", "\x1b]11;rgb:0/0/0\x07",
]
SAMPLES = ["AcmeShop", "Clean", "CorruptTraits", "Disagree", "FutureTimestamp", "HalfFilled", "ManualSession",
           "NothingToMigrate", "OptedOut"]
# In KiB, of a debug build.
MEMORY = 400_000


def CASES(setting):
    return [f"half {number}" for number in range(2)]


def run(setting, case: str) -> list[str]:
    half = int(case.split()[1])
    chance = random.Random(f"{setting.seed} {case}")
    end = time.monotonic() + setting.seconds / 2
    rounds, pressed, wrong = 0, 0, []
    while time.monotonic() < end and not wrong:
        kind = (rounds * 2 + half) % (len(SAMPLES) + 3)
        place = setting.folder / f"{rounds}"
        place.mkdir()
        if kind < len(SAMPLES):
            container = containers.sample(SAMPLES[kind], place)
        else:
            container = containers.generated(place, chance)
        rounds += 1
        count, wrong = one(setting, container, chance, end)
        pressed += count
    print(f"  {case}: {pressed} keys in {rounds} sessions")
    return wrong


def one(setting, container, chance, end):
    display = Display(chance.randrange(60, 130), chance.randrange(16, 45))
    before = containers.contents(container)
    allowed = Allowed("xterm-256color")
    pressed = []
    with setting.review(container, display=display) as session:
        session.settle()
        for _ in range(120):
            if session.status is not None or time.monotonic() > end:
                break
            # Now and then many at once, as from somebody who leans on the keyboard; then none that could apply.
            burst = chance.randrange(10) == 0
            keys = [chance.choice(PLAIN) for _ in range(chance.randrange(2, 30) if burst else 1)]
            if burst:
                keys = [key for key in keys if key != "y"]
            preview = "y " in display.lines[-1] and not burst
            for key in keys:
                session.type(key.encode("latin-1") if key == "\xff" else key)
            if chance.randrange(40) == 0:
                size = chance.randrange(1, 140), chance.randrange(1, 50)
                display.screen.resize(size[1], size[0])
                session.resize(*size)
            # The palette can suspend it too.
            session.settle(goes_on=True)
            pressed += keys
            after = containers.contents(container)
            if after != before:
                if keys != ["y"] or not preview:
                    return len(pressed), [f"written by {keys!r}; keys so far: {pressed[-60:]!r}"]
                before = after
        # What is typed after it has quit is echoed by the system, as it came.
        output = bytes(session.output)
        output = output[:output.rfind(b"\x1b[?1049l")] if session.status is not None else output
        # The palette opens editors and pagers too, and coming back from them is as after a stop.
        faults = allowed.faults(output, clipboard=True, stopped=True)
        if session.status is None:
            if session.peak_memory() > MEMORY:
                faults.append(f"{session.peak_memory()} KiB")
        elif session.status != 0:
            faults.append(f"status {session.status}; keys: {pressed[-60:]!r}")
        faults += [f"keys: {pressed[-60:]!r}"] if faults else []
    return len(pressed), faults
