"""Under every TERM and locale the review works, within what that terminal has, or ends with one clear sentence."""

import subprocess

import containers
from display import Display
from session import Session
from stream import Allowed, print_faults

KNOWN = ["vt100", "xterm", "xterm-256color", "screen", "screen-256color", "tmux", "tmux-256color", "linux"]
PLAIN = {"vt100"}
UNUSABLE = ["dumb", "unset", "empty", "no-such-terminal", "../../etc/passwd", "carryover-hardcopy", "x\x1b[2J\u202e"]
LOCALES = {"unset": {"LC_ALL": None}, "C": {"LC_ALL": "C"}, "POSIX": {"LC_ALL": "POSIX"}, "LANG": {"LC_ALL": None, "LANG": "C"}}
COLOURLESS = {"NO_COLOR": ({"NO_COLOR": "1"}, []), "--no-color": ({}, ["--no-color"])}
HARDCOPY = "carryover-hardcopy|prints on paper,\n\tam, cols#80, bel=^G, cr=\\r, cud1=\\n, ind=\\n,\n"


def CASES(setting):
    return (
        [f"term {name}" for name in KNOWN] + [f"refused {name}" for name in UNUSABLE]
        + [f"locale {name}" for name in LOCALES] + [f"colourless {name}" for name in COLOURLESS] + ["coloured"])


def walk(session, wrong, display):
    """Looks at a few screens, and at one that needs another's columns."""
    session.settle()
    for keys in ("jjG", "\r", "\x1b", "b", "j\r", "\x1b", "?", "\x1b", "a", "\x1b", "e", "\x1b"):
        session.type(keys)
        session.settle()
    if "q quit" not in display.text:
        wrong.append(f"not the review at the end:\n{display.text}")
    session.type("qq")
    if session.ended() != 0:
        wrong.append(f"status {session.status}")
    if session.settings() != session.before:
        wrong.append("the terminal's settings differ")


def run(setting, case: str) -> list[str]:
    kind, _, name = case.partition(" ")
    if kind == "refused":
        return refused(setting, name)
    wrong = []
    term, environment, options = "xterm-256color", {}, []
    if kind == "term":
        term = name
    elif kind == "locale":
        environment = LOCALES[name]
    elif kind == "colourless":
        environment, options = COLOURLESS[name]
    else:
        # Empty, it says nothing: see no-color.org.
        environment = {"NO_COLOR": ""}
    display = Display(90, 26)
    container = setting.sample("AcmeShop")
    with setting.review(container, *options, display=display, term=term, environment=environment) as session:
        walk(session, wrong, display)
        colourless = kind == "colourless" or term in PLAIN
        allowed = Allowed(term, colour=not colourless)
        output = bytes(session.output)
    wrong += allowed.faults(output)
    if kind == "locale" and any(byte >= 0x80 for byte in output):
        wrong.append("bytes beyond ASCII without a UTF-8 locale")
    if kind == "coloured" and b"38;5;" not in output and b"[3" not in output:
        wrong.append("no colour, though NO_COLOR is empty")
    return wrong


def refused(setting, name: str) -> list[str]:
    term = {"unset": None, "empty": ""}.get(name, name)
    terminals = setting.folder / "terminfo"
    terminals.mkdir()
    (setting.folder / "hardcopy").write_text(HARDCOPY)
    subprocess.run(["tic", "-x", "-o", terminals, setting.folder / "hardcopy"], check=True, capture_output=True)
    wrong = []
    for subcommand in ("review", "browse"):
        arguments = [setting.binary, subcommand, setting.sample(), *(containers.OPTIONS if subcommand == "review" else [])]
        with Session(arguments, term=term, environment={"TERMINFO": str(terminals)}) as session:
            status = session.ended()
            text = bytes(session.output).decode()
            if status != 64:
                wrong.append(f"{subcommand}: status {status}")
            sentence = text.strip()
            if not sentence.startswith("carryover: ") or "\n" in sentence or not sentence.endswith("."):
                wrong.append(f"{subcommand}: not one sentence: {text!r}")
            # A terminal that shows lines has the prompts; for any other mistake there are several ways on.
            others = [] if name == "dumb" else ["carryover plan", "TERM"]
            if any(words not in text for words in ["--accessible", *others]):
                wrong.append(f"{subcommand}: does not say what to do: {text!r}")
            wrong += print_faults(text.encode())
            if session.settings() != session.before:
                wrong.append("the terminal's settings differ")
    return wrong
