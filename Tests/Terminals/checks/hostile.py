"""Whatever a container holds, a terminal is sent what curses sends it and visible characters, and frames stay in line."""

import base64
import os
import re
import subprocess

import containers
from display import Display
from session import Session, plain_environment
from stream import Allowed, has_uncertain_width, print_faults

CLIPBOARD = re.compile(rb"\x1b\]52;c;([^\x07]*)\x07")
REVIEW = (
    "jjjj \r jjjj\x1b w jj\x1b x\x1b L\x1b r\x1b H\x1b a jjjj\x1b ?jj\x1b e\x1b / 1\r\x1b f\x1b t u U G g c C\x1b"
    "b jjj\r jj\r jj\r y Y GG \r lll \x1b /a\r n\x1b \x1b".split(" "))
LINES = [
    ["plan"], ["plan", "--json"], ["inspect"], ["inspect", "--all"], ["inspect", "--json"], ["report"], ["report", "--no-redact"],
    ["history"], ["list"], ["apply", "--yes"], ["apply", "--set", "user_id=\x1b[2J\u202e\x9b", "--yes"],
    ["apply", "--only", "\x1b]0;t\x07\u202e", "--yes"], ["plan", "--write-key", "\x1b[2J\u202e"],
    ["rollback", "--yes"], ["recover"], ["cleanup", "--yes"], ["--\u202e\x1b[1m"],
]


def CASES(setting):
    cases = ["review xterm-256color", "review linux", "browse tmux-256color", "picker", "lines", "widths wider", "widths narrower", "tmux"]
    return cases + ([f"review {name}" for name in ("vt100", "screen", "xterm")] if setting.long else [])


def run(setting, case: str) -> list[str]:
    kind, _, name = case.partition(" ")
    if kind == "lines":
        return lines(setting)
    if kind == "picker":
        return picker(setting)
    if kind == "tmux":
        return tmux(setting)
    container = containers.hostile(setting.folder)
    display = Display(110, 34, widths=drifting(name) if kind == "widths" else None)
    arguments = [container, "--redact"] if name == "linux" else [container]
    term = "xterm-256color" if kind == "widths" else name
    if kind == "browse":
        arguments, options = [setting.binary, "browse", container], []
    else:
        arguments, options = [setting.binary, *arguments], containers.OPTIONS
    wrong = []
    with Session([*arguments, *options], term=term, columns=110, rows=34, shows=display.feed) as session:
        session.settle()
        for keys in REVIEW if kind != "browse" else REVIEW[-20:] + ["G", "\r", "G"]:
            session.type(keys)
            session.settle()
            if session.status is not None:
                break
            broken = display.broken_frames()
            if broken:
                wrong.append(f"after {keys!r} a frame is broken: {broken[0]}")
        # Whatever screen this is, away with it.
        for key in ["\x1b"] * 6 + ["q"] * 3:
            if session.status is None:
                session.type(key)
                session.settle()
        if session.ended() != 0:
            wrong.append(f"status {session.status}")
        output = bytes(session.output)
    if display.screen.titles:
        wrong.append("the window's title was set")
    wrong += Allowed(term, colour=term != "vt100").faults(output, clipboard=True)
    copied = CLIPBOARD.findall(output)
    if kind == "browse" and not copied:
        wrong.append("nothing was copied")
    for text in copied:
        wrong += print_faults(base64.b64decode(text, validate=True))
    return wrong[:8]


def drifting(way: str):
    """Widths as a terminal has them that knows more, or less, of Unicode than we do."""
    from wcwidth import wcwidth

    def width(character: str) -> int:
        known = wcwidth(character)
        if known < 1 or not has_uncertain_width(ord(character)):
            return known
        return 2 if way == "wider" else 1

    return width


def lines(setting) -> list[str]:
    """What is printed on lines, on a terminal and into a pipe."""
    wrong = []
    container = containers.hostile(setting.folder)
    for words in LINES:
        takes_plan = words[0] in ("plan", "apply", "report")
        arguments = [setting.binary, *words[:1], container, *words[1:]]
        arguments += containers.OPTIONS if takes_plan and "--write-key" not in words else []
        result = subprocess.run(arguments, capture_output=True, input=b"", env=plain_environment())
        faults = print_faults(result.stdout) + print_faults(result.stderr)
        wrong += [f"{words}: {fault}" for fault in faults[:3]]
        if result.returncode < 0:
            wrong.append(f"{words}: ended by a signal, {result.returncode}")
        with Session(arguments) as session:
            session.wait("an end or a question", lambda: session.status is not None or b"[y/N]" in session.output)
            if session.status is None:
                session.type("n\r")
                session.ended()
            wrong += [f"{words} on a terminal: {fault}" for fault in print_faults(bytes(session.output), is_colored=True)[:3]]
    missing = setting.folder / "no\x1b[2Jwhere\u202e"
    for words in (["plan", missing], ["inspect", missing], [missing, "\x9b31m"], ["explain", "\x1b[1m\u202e"]):
        result = subprocess.run([setting.binary, *words], capture_output=True)
        wrong += [f"{words}: {fault}" for fault in print_faults(result.stdout + result.stderr)]
    return wrong[:8]


def picker(setting) -> list[str]:
    """Several containers, with names that steer."""
    for index, name in enumerate(["a\x1b[2J", "b\u202egnp", "c\x1b]0;t\x07", "d\u200d漢👍🏽", "e\n\r\t"]):
        folder = setting.folder / "several" / f"{name}{index}.xcappdata"
        folder.parent.mkdir(exist_ok=True)
        containers.sample("Clean", setting.folder).rename(folder)
    display = Display(80, 24)
    wrong = []
    with setting.review(setting.folder / "several", display=display) as session:
        session.settle()
        if "Clean" in display.text or "gnp" not in display.text:
            wrong.append(f"not the picker:\n{display.text}")
        for keys in ("jj", "G", "/c\r", "\x1b", "?", "\x1b", "k"):
            session.type(keys)
            session.settle()
            wrong += display.broken_frames()
        session.type("q")
        session.ended()
        wrong += Allowed("xterm-256color").faults(bytes(session.output))
    return wrong


def tmux(setting) -> list[str]:
    """The same frames in a terminal that others wrote."""
    container = containers.hostile(setting.folder)
    socket = f"carryover-terminals-{os.getpid()}"
    environment = {**plain_environment(), "HOME": str(setting.folder), "TERM": "xterm-256color"}
    configuration = setting.folder / "tmux.conf"
    configuration.write_text("set -g status off\nset -s escape-time 0\nset -g default-terminal tmux-256color\n")

    def run_tmux(*words):
        return subprocess.run(["tmux", "-L", socket, "-f", configuration, *words], env=environment, capture_output=True, text=True)

    def look(what, condition):
        for _ in range(2000):
            screen = run_tmux("capture-pane", "-p", "-t", "t").stdout
            if condition(screen):
                return screen
        raise AssertionError(f"waited in vain for {what}:\n{screen}")

    wrong = []
    run_tmux("new-session", "-d", "-x", "110", "-y", "34", "-s", "t", str(setting.binary), str(container), *containers.OPTIONS)
    try:
        look("the review", lambda screen: "q quit" in screen)
        run_tmux("send-keys", "-t", "t", "b", "j", "j")
        look("the stores", lambda screen: "Stores" in screen)
        # Open the store with everything in it, and look at three parts of it; the last row says how far down that is.
        for part in range(3):
            run_tmux("send-keys", "-t", "t", *(["l"] + ["j"] * 30 if part else ["l"]))
            where = str(31 * part + 3) if part else "Stores"
            screen = look(f"row {where}", lambda screen: "┌ Stores" in screen and (not part or re.search(r"─ (\d\d+) of", screen)))
            rows = [line for line in screen.splitlines() if line[:1] and line[:1] in "│├┌└"]
            wrong += [f"tmux: {line}" for line in rows if line[-1] not in "│┤┐┘"]
            # tmux gives each column of its screen to one line's text: the border between the panes is where it is above.
            run_tmux("send-keys", "-t", "t", "h")
    finally:
        run_tmux("kill-server")
    return wrong
