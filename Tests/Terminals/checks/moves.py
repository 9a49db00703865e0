"""A move of the cursor through the review sends little, on every sample, down and up the whole list."""

import shutil

import containers
from display import Display

LIMIT = 400
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


def samples():
    examples = containers.REPOSITORY / "Examples"
    yield from sorted(examples.glob("*.xcappdata"))
    yield from sorted((examples / "Findings").glob("*.xcappdata"))


def CASES(setting):
    # A few samples a case, so that the cases share the processors.
    return [f"{size} {part}" for size in SIZES for part in range(4)]


def run(setting, case: str) -> list[str]:
    size, part = case.split()
    wrong, counts = [], []
    for sample in list(samples())[int(part)::4]:
        place = setting.folder / sample.stem
        place.mkdir()
        container = shutil.copytree(sample, place / sample.name)
        display = Display(*SIZES[size])
        with setting.review(container, display=display) as session:
            session.settle()
            if session.status is not None:
                wrong.append(f"{sample.name} ended with {session.status}")
                continue
            if "▸" not in display.text:
                session.type("\x1b")
                session.settle()
            for key in "jk":
                for row in range(60):
                    before, shown = len(session.output), display.text
                    session.type(key)
                    session.settle()
                    if display.text == shown:
                        break
                    sent = len(session.output) - before
                    counts.append(sent)
                    if sent > LIMIT:
                        wrong.append(f"{sample.name}, {key} at row {row}: {sent} bytes: {bytes(session.output[before:])!r}")
    print(f"  moves {case}: {len(counts)}, the most {max(counts, default=0)} bytes")
    return wrong if counts else wrong + ["no move was made"]
