"""Whatever a container, a name or a line that is typed holds, a terminal is sent what curses sends it and visible
characters, and frames stay in line: on every screen, in every prompt, and in what is printed."""

import base64
import re
import subprocess

import containers
from display import Display
from session import Session, plain_environment
from stream import Allowed, print_faults

CLIPBOARD = re.compile(rb"\x1b\]52;c;([^\x07]*)\x07")
# What is typed or pasted: the end of a paste cannot be in one.
TEXT = "".join(containers.EVERYTHING)
PASTE = b"\x1b[200~" + TEXT.encode("utf-8", "surrogatepass") + b"\x1b[201~"
LEAVE = ["\x1b"] * 6 + ["q", "y"] * 2
# Down each page and back.
PAGE = ["jjj", "G", ":7\r", "5k", "g"]
DECIDE = ["g", "v", "G", " ", "\x1b", "n", "s", "n", "s"]
STEPS = {
    "lines": ["/", PASTE, "\r", "n", "N", "G", "\x1b", "f", PASTE, "\r", "\x1b", "\x1b", "f", *"is:漢\u202e", "\r", "\x1b", "\x1b", "Ge",
              "\x15", PASTE, "\x01", "\x05", "\r", "e", "\x1b[A", "\x1b[B", "\x1b", "?", "/", PASTE, "\r", "\x1b", "\x1b", "b", "/", PASTE,
              "\r", "\x1b", "\x1b", "q"],
    "pages": ["\r", *PAGE, "]", "]", "x", *PAGE, "\x1b", "\x1b", "w", *PAGE, "\r", *PAGE, "]", "]", "]", "\r", "L", *PAGE, "\x1b",
              "r", *PAGE, "\x1b", "?", *PAGE, "\x1b", "A", "jj", "\x1b[B", "\x1b", "F", "jjj", "G", "\r", "\x1b", "2", *PAGE[:2], "3",
              *PAGE[:2], "+", "+", "<", ">", ">", "=", "1"],
    "stores": ["b", "jjj", "\r", "jj", "\r", "y", "Y", "GG", "\r", "lll", "\x1b", "/a\r", "n", "\x1b", "G", "\r", "G"],
    "run": [*DECIDE, "a", *PAGE, "y", *PAGE, "L", *PAGE, "\x1b", "H", "\r", *PAGE, "R", "a", "?", "\x1b", "R", *PAGE, "y", *PAGE, "L",
            *PAGE, "\x1b", "\x1b", "H", "j", "\r", "\x1b", "\x1b"],
    "kept": [*DECIDE, "q", "y", "REOPEN", *PAGE, "?", "\x1b", "y", "u", "q", "y"],
}
SCREENS = {
    **{f"{steps} xterm-256color": (steps, "xterm-256color", []) for steps in STEPS},
    "pages ASCII": ("pages", "xterm-256color", ["--ascii"]), "lines redacted": ("lines", "linux", ["--redact"]),
    "pages vt100": ("pages", "vt100", []), "run narrow": ("run", "xterm-256color", []),
}
PRINTED = [
    ["plan"], ["plan", "--json"], ["inspect"], ["inspect", "--all"], ["inspect", "--json"], ["report"], ["report", "--no-redact"],
    ["history"], ["list"], ["apply", "--yes"], ["apply", "--set", "user_id=\x1b[2J\u202e\x9b", "--yes"],
    ["apply", "--only", "\x1b]0;t\x07\u202e", "--yes"], ["plan", "--write-key", "\x1b[2J\u202e"],
    ["rollback", "--yes"], ["recover"], ["cleanup", "--yes"], ["--\u202e\x1b[1m"],
]
PROMPTS = [
    "help", "more", "/\u202e", "esc", "esc", "list", "more", "details", "explain", "back", "back", "findings", "esc", "recipes", "more", "esc",
    "stores", "1", "enter", "2", "space", "esc", "up", "list", "more", "search \u202e", "/" + "漢", "open \x1b[2J", "open -9223372036854775808",
    "9223372036854775807", "99999999999999999999", "leave", "search \x9b31m", "esc", "filter \u202e\x1b[2J",
    "esc", ":\x1b]0;t\x07", "", ":0", "action -1", "", "other-value 0", "edit", TEXT, "\u202e", "", "undo", "A", "r",
    "accept", "skip", "edit", "4\u202e\x1b[2J", "", "filter is:undecided", "first", "v", "last", "skip", "esc", "esc", "log", "esc", "apply", "yes", "log", "esc",
    "H", "list", "1", "enter", "list", "space", "a", "a", "esc", "esc", "esc", "roll-back", "yes", "esc", "H", "1", "back", "back", "quit", "yes",
]


def CASES(setting):
    return [*SCREENS, "picker", "printed", "prompts"]


def run(setting, case: str) -> list[str]:
    if case in SCREENS:
        steps, term, options = SCREENS[case]
        return walk(setting, STEPS[steps], case, term, options)[:8]
    return {"picker": picker, "printed": printed, "prompts": prompts}[case](setting)[:8]


def walk(setting, steps, case: str, term: str, options) -> list[str]:
    container = containers.hostile(setting.folder)
    size = (64, 18) if "narrow" in case.split() else (112, 36)
    wrong, copied = [], b""

    def begin():
        return setting.review(container, *options, display=Display(*size), term=term)

    def end():
        nonlocal copied
        with session:
            for key in LEAVE:
                session.press(key)
            wrong.extend(session.end())
            output = bytes(session.output)
        copied += output
        wrong.extend(Allowed(term, colour=term != "vt100").faults(output, clipboard=True))

    session, display = begin()
    for number, keys in enumerate(steps):
        if keys == "REOPEN":
            end()
            session, display = begin()
            if "Saved decisions" not in display.text:
                wrong.append(f"nothing is offered:\n{display.text}")
            continue
        session.press(keys)
        if session.status is None and "--ascii" not in options and term != "vt100":
            wrong += [f"after {steps[max(0, number - 4):number + 1]!r} a frame is broken: {row}" for row in display.broken_frames()[:1]]
    end()
    texts = CLIPBOARD.findall(copied)
    if case.startswith("stores") and not texts:
        wrong.append("nothing was copied")
    return wrong + [fault for text in texts for fault in print_faults(base64.b64decode(text, validate=True))]


def picker(setting) -> list[str]:
    """Several containers, with names that steer, on a screen and by prompts."""
    folder = setting.folder / "several"
    for index, name in enumerate(["a\x1b[2J", "b\u202egnp", "c\x1b]0;t\x07", "d\u200d漢👍🏽", "e\n\r\t"]):
        folder.mkdir(exist_ok=True)
        containers.sample("Clean", setting.folder).rename(folder / f"{name}{index}.xcappdata")
    session, display = setting.review(folder, display=Display(80, 24))
    wrong = []
    with session:
        if "Clean" in display.text or "gnp" not in display.text:
            wrong.append(f"not the picker:\n{display.text}")
        for keys in ("jj", "G", "/c\r", "\x1b", "?", "\x1b", "k"):
            session.press(keys)
            wrong += display.broken_frames()
        session.type("q")
        session.ended()
        wrong += Allowed("xterm-256color").faults(bytes(session.output))
    numbers = ["-9223372036854775808", "9223372036854775807", "0", "-1", "99999999999999999999", TEXT.replace("\n", ""), "\u202e\x1b[2J", "more"]
    for ending in (["quit"], ["1", "enter", "quit", "yes"]):
        wrong += piped([setting.binary, "review", folder, *containers.OPTIONS, "--accessible"], [*numbers, *ending])[1]
    return wrong


def piped(arguments, lines) -> tuple[bytes, list[str]]:
    text = "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")
    result = subprocess.run(arguments, input=text, capture_output=True, env=plain_environment())
    wrong = [] if result.returncode == 0 else [f"status {result.returncode}: {result.stderr[-400:]!r}"]
    return result.stdout, wrong + print_faults(result.stdout)[:4] + print_faults(result.stderr)[:4]


def printed(setting) -> list[str]:
    wrong = []
    container = containers.hostile(setting.folder)
    for words in PRINTED:
        takes_plan = words[0] in ("plan", "apply", "report")
        arguments = [setting.binary, *words[:1], container, *words[1:]]
        arguments += containers.OPTIONS if takes_plan and "--write-key" not in words else []
        result = subprocess.run(arguments, capture_output=True, input=b"", env=plain_environment())
        wrong += [f"{words}: {fault}" for fault in (print_faults(result.stdout) + print_faults(result.stderr))[:3]]
        if result.returncode < 0:
            wrong.append(f"{words}: ended by a signal, {result.returncode}")
        with Session(arguments) as session:
            session.wait("an end or a question", lambda: session.status is not None or b"[y/N]" in session.output)
            if session.status is None:
                session.type("n\r")
                session.ended()
            # On a slow machine a line of progress stands there for a while, between carriage returns.
            said = re.sub(rb"\r(?:[ -~]+\r)+", b"", bytes(session.output))
            wrong += [f"{words} on a terminal: {fault}" for fault in print_faults(said, is_colored=True)[:3]]
    missing = setting.folder / "no\x1b[2Jwhere\u202e"
    for words in (["plan", missing], ["inspect", missing], [missing, "\x9b31m"], ["explain", "\x1b[1m\u202e"]):
        result = subprocess.run([setting.binary, *words], capture_output=True)
        wrong += [f"{words}: {fault}" for fault in print_faults(result.stdout + result.stderr)]
    return wrong


def prompts(setting) -> list[str]:
    arguments = [setting.binary, "review", containers.hostile(setting.folder), *containers.OPTIONS, "--accessible"]
    said, wrong = piped(arguments, PROMPTS)
    with Session(arguments, columns=100, rows=30) as session:
        session.settle()
        for line in PROMPTS:
            # The terminal's own echo is not what is looked at, and would itself obey some of it.
            clean = "".join(character for character in line if character >= " ")[:900]
            session.press(clean.encode("utf-8", "surrogatepass") + b"\r")
        if session.status is None:
            session.type("\x04")
        wrong += session.end()
        if b"\x1b" in session.output.replace(b"\x1b[?2004", b""):
            wrong.append("a control sequence was printed")
        for text in (said, session.output):
            if b"Applying" not in text or b"Rolling back" not in text:
                wrong.append(f"not applied and taken back: {bytes(text[-800:])!r}")
    return wrong
