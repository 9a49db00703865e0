"""The seals in a container's state folder, made without the product: with the user's key, over the container's number.

A seal does not fit in a copy of its container. Where this proof starts from copies, it seals them again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from pathlib import Path

STATE = ".carryover"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+|\s+')
SEAL = re.compile(r'"seal":\{"key":"([0-9a-f]{16})","hmacSHA256":"([0-9a-f]{64})"\}\}$')
# For comparing containers that are the same but for their number.
DIGITS = re.compile(rb'(?<="hmacSHA256": ")[0-9a-f]{64}')


def key() -> bytes | None:
    """The user's key; None before there is one."""
    try:
        return bytes.fromhex((Path(os.environ["XDG_STATE_HOME"]) / "carryover/key").read_text().strip())
    except FileNotFoundError:
        return None


def key_id(key: bytes) -> str:
    return hashlib.sha256(b"carryover.key-id/1" + key).hexdigest()[:16]


def digits(text: str, root: Path, key: bytes) -> str:
    """The keyed sum of a document without its seal, as compact JSON."""
    message = f"carryover.seal/1\n{root.stat().st_ino}\n{text}"
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()


def seal(document: dict, root: Path, key: bytes) -> dict:
    """The seal for a document with nothing in it that JSON writers spell differently."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return {"key": key_id(key), "hmacSHA256": digits(text, root, key)}


def compact(text: str) -> str:
    """JSON text without what stands between its tokens."""
    return "".join(token for token in TOKEN.findall(text) if not token.isspace())


def seal_again(root: Path) -> None:
    """Makes every seal of a copied container fit, as far as its documents are whole."""
    mine = key()
    state = root / STATE
    if mine is None or not state.is_dir():
        return
    for path in (*state.glob("*.json"), *state.glob("*.json.tmp"), *state.glob("runs/*/record.json*")):
        text = path.read_text(errors="replace")
        whole = compact(text)
        found = SEAL.search(whole)
        if found is not None:
            bare = whole[: found.start()].removesuffix(",") + "}"
            path.write_text(text.replace(found[2], digits(bare, root, mine)))
