"""The hostile container through every screen and every line that is typed, and through the prompts: what is sent, and the
frames, as in the check of that name."""

import os
import re
import subprocess

import containers
from checks.hostile import print_faults
from display import Display
from session import Session, plain_environment
from stream import Allowed

# What is typed or pasted: the end of a paste cannot be in one.
TEXT = "".join(containers.EVERYTHING)
SHORT = ["\u202e漢", "e\u0301\u0302", "👩‍👩‍👧‍👦", "\ue000", "\x9b31m", "\u2028", "z" + "\u0300" * 40, "ﷺ", "", "is:漢", "\x1b]0;t"]
LEAVE = ["\x1b"] * 5
# Down each page and back.
PAGE = ["jjj", "G", ":7\r", "5k", "g"]
DECIDE = ["g", "v", "G", " ", "\x1b", "n", "s", "n", "s"]

STEPS = {
    "lines": ["/", "PASTE", "\r", "n", "N", "G", "\x1b", "f", "PASTE", "\r", "\x1b", "\x1b", "Ge", "\x15", "PASTE", "\x01", "\x05", "\r",
              "e", "\x1b[A", "\x1b[A", "\x1b[B", "\x1b", "?", "/", "PASTE", "\r", "\x1b", "\x1b", "b", "/", "PASTE", "\r", "\x1b", "\x1b", "q"],
    "pages": ["\r", *PAGE, "]", "]", "x", *PAGE, "\x1b", "\x1b", "w", *PAGE, "\r", *PAGE, "]", "]", "]", "\r", "L", *PAGE, "\x1b",
              "r", *PAGE, "\x1b", "?", *PAGE, "\x1b", "A", "jj", "\x1b[B", "\x1b", "F", "jjj", "G", "\r", "\x1b", "2", *PAGE[:2], "3",
              *PAGE[:2], "+", "+", "<", ">", ">", "=", "1"],
    "run": [*DECIDE, "a", *PAGE, "y", *PAGE, "L", *PAGE, "\x1b", "H", "\r", *PAGE, "R", "a", "?", "\x1b", "R", *PAGE, "y", *PAGE, "L",
            *PAGE, "\x1b", "\x1b", "H", "j", "\r", "\x1b", "\x1b"],
    "kept": [*DECIDE, "q", "y", "REOPEN", *PAGE, "?", "\x1b", "y", "u", "q", "y"],
}
PROMPTS = [
    "help", "more", "/\u202e", "esc", "esc", "list", "more", "details", "explain", "back", "back", "findings", "esc", "recipes", "more", "esc",
    "stores", "1", "enter", "2", "space", "esc", "up", "list", "more", "search \u202e", "/" + "漢", "open \x1b[2J", "open -9223372036854775808",
    "9223372036854775807", "99999999999999999999", "-9223372036854775808", "leave", "search \x9b31m", "esc", "filter \u202e\x1b[2J",
    "esc", ":\x1b]0;t\x07", "", ":0", "go-to -1", "", "take -9223372036854775808", "take 0", "edit", TEXT, "\u202e", "", "undo", "A", "r",
    "confirm", "skip", "edit", "4\u202e\x1b[2J", "", "filter is:todo", "first", "v", "last", "skip", "esc", "esc", "log", "esc", "apply", "yes", "log", "esc",
    "H", "list", "1", "enter", "-9223372036854775808", "list", "space", "a", "a", "esc", "esc", "esc", "roll-back", "yes", "esc", "H", "1",
    "back", "back", "quit", "yes",
]


def CASES(setting):
    return [f"{name} {term}" for name in STEPS for term in ("xterm-256color", "vt100" if setting.long else "")[: 2 if setting.long else 1]] + [
        "lines ASCII", "pages ASCII", "pages narrow", "run narrow", "short", "prompts", "prompts pipe", "prompts ASCII", "choice",
        "configuration"]


def run(setting, case: str) -> list[str]:
    kind, _, how = case.partition(" ")
    if kind == "prompts":
        return prompts(setting, how)
    if kind == "choice":
        return choice(setting)
    if kind == "configuration":
        return configuration(setting)
    if kind == "short":
        return short(setting)
    size = (64, 18) if how == "narrow" else (112, 36)
    return walk(setting, containers.hostile(setting.folder), STEPS[kind], how, size)[:8]


def walk(setting, container, steps, how: str, size) -> list[str]:
    ascii_only = how == "ASCII"
    term = how if how == "vt100" else "xterm-256color"
    wrong, session, display = [], None, None

    def open_it():
        shown = Display(*size)
        return shown, setting.review(container, *(["--ascii"] if ascii_only else []), display=shown, term=term)

    def close_it():
        nonlocal wrong
        with session:
            for key in LEAVE + ["q", "y", "q", "y"]:
                if session.status is None:
                    session.type(key)
                    session.settle()
            if session.ended() != 0:
                wrong.append(f"status {session.status}")
            output = bytes(session.output)
            wrong += Allowed(term, colour=term != "vt100").faults(output, clipboard=True)
            if display.screen.titles:
                wrong.append("the window's title was set")

    display, session = open_it()
    session.settle()
    for number, keys in enumerate(steps):
        if keys == "REOPEN":
            close_it()
            display, session = open_it()
            session.settle()
            if "Saved decisions" not in display.text:
                wrong.append(f"nothing is offered:\n{display.text}")
            continue
        session.type(b"\x1b[200~" + TEXT.encode("utf-8", "surrogatepass") + b"\x1b[201~" if keys == "PASTE" else keys)
        session.settle()
        if session.status is not None:
            wrong += [] if session.status == 0 else [f"status {session.status} after {steps[:number + 1]!r}"]
            continue
        if not ascii_only and term != "vt100":
            wrong += [f"after {steps[max(0, number - 4):number + 1]!r} a frame is broken: {row}" for row in display.broken_frames()[:1]]
    close_it()
    return wrong


def short(setting) -> list[str]:
    """Texts that are found, typed letter by letter without the marks of a paste, and kept, over all three lines."""
    steps = []
    for text in SHORT:
        typed = [part for part in text.replace("\x1b", "")]
        steps += ["/", *typed, "\r", "n", "\x1b", "f", *typed, "\r", "\x1b", "\x1b", "?", "/", *typed, "\r", "\x1b", "\x1b"]
    return walk(setting, containers.hostile(setting.folder), steps, "", (100, 30))[:8]


def prompts(setting, how: str) -> list[str]:
    container = containers.hostile(setting.folder)
    arguments = [setting.binary, "review", container, *containers.OPTIONS, "--accessible"]
    if how == "ASCII":
        arguments.append("--ascii")
    if how == "pipe":
        data = "\n".join(PROMPTS).encode("utf-8", "surrogatepass") + b"\n"
        result = subprocess.run(arguments, input=data, capture_output=True, env=plain_environment())
        done = "Applying…".encode() in result.stdout and "Rolling back…".encode() in result.stdout
        return (ended(result) + print_faults(result.stdout)[:4] + print_faults(result.stderr)[:4]
                + ([] if done else [f"not applied and taken back: {result.stdout[-800:]!r}"]))
    wrong = []
    with Session(arguments, columns=100, rows=30) as session:
        for line in PROMPTS:
            start = len(session.output)
            session.wait("a question", lambda: session.status is not None or session.output.rstrip(b" ").endswith(b":"))
            if session.status is not None:
                break
            # The terminal's own echo is not what is looked at, and would itself obey some of it.
            clean = "".join(character for character in line if character >= " ")[:900]
            session.type(clean.encode("utf-8", "surrogatepass") + b"\r")
            session.wait("the echo", lambda: len(session.output) > start + len(clean.encode()) or session.status is not None)
            asked = session.output.count(b"\n")
            session.wait("the answer", lambda: session.status is not None or (
                session.output.count(b"\n") >= asked and session.output.rstrip(b" ").endswith(b":")))
        if session.status is None:
            session.type("\x04")
        if session.ended() != 0:
            wrong.append(f"status {session.status}")
        if b"Applying" not in session.output or b"Rolling back" not in session.output:
            wrong.append(f"not applied and taken back: {bytes(session.output[-800:])!r}")
        if b"\x1b" in session.output.replace(b"\x1b[?2004", b""):
            wrong.append("a control sequence was printed")
    return wrong


def ended(result) -> list[str]:
    return [] if result.returncode == 0 else [f"status {result.returncode}: {result.stderr[-400:]!r}"]


def choice(setting) -> list[str]:
    """Numbers beyond any, and hostile text, where one of several containers is to be chosen by prompts."""
    for name in ("a\x1b[2J", "b\u202egnp"):
        containers.sample("Clean", setting.folder).rename(setting.folder / f"{name}.xcappdata")
    lines = ["-9223372036854775808", "9223372036854775807", "0", "-1", "99999999999999999999", TEXT.replace("\n", ""), "\u202e\x1b[2J", "more", "all"]
    wrong = []
    for ending in (["quit"], [], ["1", "enter", "quit", "yes"]):
        result = subprocess.run(
            [setting.binary, "review", setting.folder, *containers.OPTIONS, "--accessible"],
            input="\n".join([*lines, *ending, ""]).encode("utf-8", "surrogatepass"), capture_output=True,
            env=plain_environment())
        wrong += ended(result) + print_faults(result.stdout)[:3]
    return wrong


def configuration(setting) -> list[str]:
    """The names and the contents of configuration files, in what is said about them."""
    wrong = []
    words = [piece.replace("\n", "").replace("'", "") for piece in containers.EVERYTHING]
    text = "".join(f"set '{word}' x\nbind '{word}' '{word}' '{word}'\nset theme '{word}'\ncolor '{word}' '{word}'\nbind review '{word}' skip\n"
                   f"color cursor '{word}'\n{word}\nunbind review '{word}'\n" for word in words)
    contents = [text.encode("utf-8", "surrogatepass"), b"\xff\xfe\x00s\x00e\x00t", b"\x00" * 1000, b"set theme '" + b"x" * 60000,
                b"bind review " + b"\xcc\x81" * 1000 + b" skip\n", b"\n" * 60000 + b"x", b"x\n" * 30000, b"'" * 60000, b"x" * 70000]
    for number, data in enumerate(contents):
        path = setting.folder / f"c\x1b]0;t\x07\u202e\x9b{number}"
        path.write_bytes(data)
        for words in (["config", "check", path], ["config", "show", "--config", path], [setting.folder, "--config", path]):
            result = subprocess.run([setting.binary, *words], capture_output=True, env=plain_environment())
            wrong += print_faults(result.stdout)[:2] + print_faults(result.stderr)[:2]
            if result.returncode < 0 or result.returncode > 64:
                wrong.append(f"{words}: {result.returncode}")
    for made in ("folder", "pipe", "link"):
        path = setting.folder / f"{made}\x1b[2J"
        path.mkdir() if made == "folder" else os.mkfifo(path) if made == "pipe" else path.symlink_to("nowhere\x1b[2J")
        result = subprocess.run([setting.binary, "config", "check", path], capture_output=True, timeout=20)
        wrong += print_faults(result.stdout + result.stderr)
        if result.returncode != 64:
            wrong.append(f"{made}: {result.returncode}")
    return wrong[:8]
