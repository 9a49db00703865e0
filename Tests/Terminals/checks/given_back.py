"""However the command ends, the terminal is as before: its settings, its screen, its modes; and the status is true."""

import signal
import time

from display import Display
from session import Stuck
from stream import OWN_MODES, Allowed

ENDING = ["TERM", "HUP", "INT", "QUIT"]
FATAL = ["SEGV", "ABRT", "BUS", "FPE", "ILL", "TRAP"]
# What a fault of ours ends by. A Swift trap is an illegal instruction on x86-64 and a trap on AArch64.
TRAPS = {"index": {4, 5}, "overflow": {4, 5}, "null": {11}, "stack": {11, 7}, "abort": {6}}
STEPS = {"review": "", "editor": "Ge", "help": "?", "details": "\r", "preview": "a", "stores": "b", "history": "H",
         "search": "/a", "filter": "fa", "menu": "A", "filters": "F", "log": "L", "recipes": "r", "findings": "w", "finding": "jx",
         "quit": "j q", "help line": "?/a", "row": ":1"}
PROMPT = b"earlier line\r\n$ carryover\r\n"


def CASES(setting):
    cases = [f"signal {name}" for name in ENDING + FATAL]
    cases += [f"trap {name}" for name in TRAPS] + [f"backtrace {name}" for name in ("index", "null")]
    cases += ["key 03", "key 1c", "key 71", "hangup sent", "hangup kept away", "hangup ignored", "nohup"]
    cases += [f"stop {how}" for how in ("key", "TSTP", "STOP", "resized", "editor", "twice")]
    if setting.long:
        cases += [f"signal {name} {step}" for name in ENDING + FATAL for step in STEPS if step != "review"]
    cases += [f"signal TERM {step}" for step in ("search", "filter", "help line") if not setting.long]
    cases += [f"stop in {step}" for step in STEPS if setting.long or step in ("search", "menu")]
    return cases


def given_back(session, display: Display, before) -> list[str]:
    screen = display.screen
    look = screen.cursor.attrs
    wrong = {
        "the terminal's settings differ": session.settings() != session.before,
        "still on the alternate screen": screen.main is not None,
        "the cursor is hidden": screen.cursor.hidden,
        "the mouse or pastes are still reported": any(int(mode) << 5 in screen.mode for mode in OWN_MODES),
        "text is still coloured": (look.fg, look.bold, look.reverse) != ("default", False, False),
        "the prompt would not be on a fresh line": screen.cursor.x != 0,
        f"the screen before was lost: {display.text[:80]!r}": not display.text.startswith(before),
        "half a screen is left": "┌" in display.text or "│" in display.text,
    }
    return [text for text, is_wrong in wrong.items() if is_wrong]


def begin(setting, environment=None, **others):
    display = Display(100, 30)
    display.feed(PROMPT)
    before = display.text.rstrip("\n")
    session, _ = setting.review(setting.sample(), display=display, environment=environment, **others)
    return display, session, before


def run(setting, case: str) -> list[str]:
    kind, what, *rest = (case + " ").split(" ", 2)
    rest = [step.strip() for step in rest if step.strip()]
    if kind in ("trap", "backtrace"):
        return trap(setting, kind, what)
    if kind in ("hangup", "nohup"):
        return hangup(setting, case)
    # What Swift's backtracer says of a fault that was only sent would stand where the screen before is looked for.
    environment = {"SWIFT_BACKTRACE": "enable=no"} if kind == "signal" and what in FATAL else {}
    display, session, before = begin(setting, environment)
    with session:
        if kind == "stop":
            return stop(session, display, before, what, STEPS[rest[0]] if rest else "Ge" if what == "editor" else "")
        session.type(STEPS[rest[0]] if rest else "")
        session.settle()
        if kind == "signal":
            number = getattr(signal, f"SIG{what}")
            session.signal(number)
            expected = 128 + number
        else:
            expected = {"03": 130, "1c": 131, "71": 0}[what]
            session.type(bytes.fromhex(what))
        status = session.ended(limit=20)
        wrong = given_back(session, display, before)
        return wrong if status == expected else wrong + [f"status {status}, not {expected}"]


def trap(setting, kind: str, what: str) -> list[str]:
    environment = {"CARRYOVER_TRAP": what, "SWIFT_BACKTRACE": None if kind == "backtrace" else "enable=no"}
    start = time.monotonic()
    # Swift's backtracer offers to wait half a minute for a key.
    display, session, before = begin(setting, environment, limit=25)
    with session:
        status = session.ended()
        wrong = given_back(session, display, before)
        if kind == "backtrace" or what == "index":
            # Its text is longer than the screen and shows lines of source; the runtime itself lists the calls that led
            # to an index out of range.
            wrong = [fault for fault in wrong if "lost" not in fault and "half" not in fault]
        if status - 128 not in TRAPS[what]:
            wrong.append(f"status {status} after {time.monotonic() - start:.1f} s")
        return wrong


def hangup(setting, case: str) -> list[str]:
    """The terminal's other end is closed. The command ends, whoever tells it, and does not spin meanwhile."""
    ignoring = {signal.SIGHUP} if case in ("hangup ignored", "nohup") else set()
    _, session, _ = begin(setting, ignoring=ignoring, forwards_hangup=case == "hangup sent")
    with session:
        session.hang_up()
        try:
            status = session.ended(limit=20)
        except Stuck:
            return [f"goes on after the hangup, {session.ticks()} ticks used"]
        return [] if status in (0, 128 + signal.SIGHUP) else [f"status {status}"]


def stop(session, display, before, how: str, keys: str) -> list[str]:
    """Stopped and gone on with: the shell has its terminal meanwhile, and the screen comes back whole."""
    wrong = []
    session.type(keys)
    session.settle()
    for _ in range(2 if how == "twice" else 1):
        whole = display.text
        if how in ("TSTP", "STOP"):
            session.signal(getattr(signal, f"SIG{how}"))
        else:
            session.type(b"\x1a")
        session.stopped()
        while session.take(0.004):
            pass
        if how != "STOP":
            # Nobody can clean up before a SIGSTOP; shells set the terminal then.
            wrong += given_back(session, display, before)
        if how == "resized":
            session.resize(70, 20)
            display.screen.resize(20, 70)
        session.go_on()
        session.settle()
        if how == "resized":
            if any(len(line.rstrip()) > 70 for line in display.lines) or display.broken_frames():
                wrong.append(f"not whole after the stop: {display.text}")
        elif display.text != whole:
            wrong.append(f"the screen differs after the stop:\n{display.text}\nwas\n{whole}")
    session.press(*["\x1b"] * 4, "q", "y")
    session.ended()
    wrong += Allowed("xterm-256color").faults(bytes(session.output), stopped=True)
    return wrong + (given_back(session, display, before) if how != "resized" else [])
