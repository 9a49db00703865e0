"""The contrasts of the colours, in both schemes, as WCAG computes them."""

from __future__ import annotations

import re

LEAST = 4.5
PAIRS = [(text, ground) for text in ("ink", "faint", "link") for ground in ("paper", "box")] + [("ink", "mark"), ("link", "mark")]


def problems(css: str) -> list[str]:
    light = variables(css)
    dark = {**light, **variables(css.partition("prefers-color-scheme: dark")[2])}
    found = []
    if light == dark:
        found.append("site.css has no dark scheme")
    if re.search(r"url\(|@import|@font-face", css):
        found.append("site.css loads something")
    for name, scheme in (("light", light), ("dark", dark)):
        for text, ground in PAIRS:
            contrast = ratio(scheme[text], scheme[ground])
            if contrast < LEAST:
                found.append(f"{text} on {ground} has a contrast of {contrast:.2f} in the {name} scheme, not {LEAST}")
    return found


def variables(css: str) -> dict[str, str]:
    """The colours of the first rule that sets any."""
    return dict(re.findall(r"--(\w+): #([0-9a-f]{6});", css.partition("}")[0]))


def ratio(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
