"""The review by lines, interrupted at every question: nothing is written, and the terminal is as before. What is typed there is
LineReviewTests' and LineAgreementTests'."""

import containers
from session import Session

# What leads to each question.
QUESTIONS = {
    "fields": [], "value": ["edit"], "stores": ["stores"], "apply": ["accept", "next", "apply"], "quit": ["skip", "quit"],
    "history": ["history"], "inside": ["stores", "1", "space"],
}


def CASES(setting):
    return list(QUESTIONS)


def run(setting, what: str) -> list[str]:
    container = setting.sample("Clean")
    before = containers.contents(container)
    with Session([setting.binary, "review", container, *containers.OPTIONS, "--accessible"]) as session:
        session.press("", *(line + "\r" for line in QUESTIONS[what]))
        session.type("half a line\x03")
        wrong = session.end(130, limit=20)
    return wrong + (["written"] if containers.contents(container) != before else [])
