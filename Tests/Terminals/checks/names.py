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
COLOURS = {"NO_COLOR": ({"NO_COLOR": "1"}, []), "--no-color": ({}, ["--no-color"]), "empty NO_COLOR": ({"NO_COLOR": ""}, [])}
# Terminal, theme, options; with eight colours the brighter half is the darker one in bold.
PALETTES = [("xterm", "dark"), ("linux", "light"), ("screen", "mono"), ("xterm-256color", "dark", "--colors", "16"), ("xterm-256color", "light")]
HARDCOPY = "carryover-hardcopy|prints on paper,\n\tam, cols#80, bel=^G, cr=\\r, cud1=\\n, ind=\\n,\n"


def CASES(setting):
    return ([f"term {name}" for name in KNOWN] + [f"refused {name}" for name in UNUSABLE] + [f"locale {name}" for name in LOCALES]
            + [f"colours {name}" for name in COLOURS] + [" ".join(["palette", *words]) for words in PALETTES])


def run(setting, case: str) -> list[str]:
    """Looks at a few screens, and at one that needs another's columns."""
    kind, _, name = case.partition(" ")
    if kind == "refused":
        return refused(setting, name)
    if kind == "palette":
        return black(setting, *name.split())
    wrong = []
    term = name if kind == "term" else "xterm-256color"
    environment, options = COLOURS[name] if kind == "colours" else (LOCALES[name] if kind == "locale" else {}, [])
    session, display = setting.review(
        setting.sample("AcmeShop"), *options, display=Display(90, 26), term=term, environment=environment)
    with session:
        session.press("jjG", "\r", "\x1b", "b", "j\r", "\x1b", "?", "\x1b", "a", "\x1b", "e", "\x1b")
        if "q quit" not in display.text:
            wrong.append(f"not the review at the end:\n{display.text}")
        session.type("qq")
        wrong += session.end()
        output = bytes(session.output)
    # An empty NO_COLOR says nothing: see no-color.org.
    colourless = name in ("NO_COLOR", "--no-color") or term in PLAIN
    wrong += Allowed(term, colour=not colourless).faults(output)
    if kind == "locale" and any(byte >= 0x80 for byte in output):
        wrong.append("bytes beyond ASCII without a UTF-8 locale")
    if kind == "colours" and not colourless and b"38;5;" not in output and b"[3" not in output:
        wrong.append("no colour, though NO_COLOR is empty")
    return wrong


def black(setting, term: str, theme: str, *options) -> list[str]:
    """Text in the first colour, black, is only on a ground that we set to another one."""
    wrong, shown = [], set()
    session, display = setting.review(
        setting.sample("AcmeShop"), "--theme", theme, *options, display=Display(90, 26), term=term)
    with session:
        for keys in ("", "jj", "G", " ", "s", "\r", "\x1b", "b", "/a\r", "j\r", "\x1b", "\x1b", "?", "\x1b", "a", "y", "\x1b", "H", "\r"):
            session.press(keys)
            for row, cells in enumerate(display.screen.buffer[row] for row in range(26)):
                cells = [cells[column] for column in range(90) if cells[column].data.strip()]
                shown.update(cell.fg for cell in cells)
                dark = "".join(cell.data for cell in cells if cell.fg == "black" and cell.bg in ("default", "black") and not cell.reverse)
                if dark:
                    wrong.append(f"after {keys!r}, row {row}: {dark!r}")
    if theme != "mono" and len(shown) < 4:
        wrong.append(f"hardly any colours: {shown}")
    return wrong[:5]


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
            wrong += [f"{subcommand}: {fault}" for fault in session.end(64)]
            text = bytes(session.output).decode()
            # Broken between words, and only there.
            lines = text.strip().split("\r\n")
            sentence = " ".join(lines)
            if any(len(line) > 100 for line in lines) or any(word not in sentence for word in text.split()):
                wrong.append(f"{subcommand}: not wrapped: {text!r}")
            if not sentence.startswith("carryover: ") or "\n" in sentence or not sentence.endswith("."):
                wrong.append(f"{subcommand}: not one sentence: {text!r}")
            # A terminal that shows lines has the prompts; for any other mistake there are several ways on.
            others = [] if name == "dumb" else ["carryover plan", "TERM"]
            if any(words not in sentence for words in ["--accessible", *others]):
                wrong.append(f"{subcommand}: does not say what to do: {text!r}")
            wrong += print_faults(text.encode())
    return wrong
