"""The seals in a container's state folder, made without the product: with the user's key, over the container's number. A seal does
not fit in a copy of its container. Where this proof starts from copies, it seals them again."""

import hashlib
import hmac
import json
import os
import re
from pathlib import Path

STATE = ".carryover"
# For comparing containers that are the same but for their number.
DIGITS = re.compile(rb'(?<="hmacSHA256": ")[0-9a-f]{64}')


def key() -> bytes | None:
    """The user's key; None before there is one."""
    try:
        return bytes.fromhex((Path(os.environ["XDG_STATE_HOME"]) / "carryover/key").read_text().strip())
    except FileNotFoundError:
        return None


def digits(document: dict, root: Path, key: bytes) -> str:
    """The keyed sum of a document without its seal, as compact JSON."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    message = f"carryover.seal/1\n{root.stat().st_ino}\n{text}"
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()


def seal(document: dict, root: Path, key: bytes) -> dict:
    name = hashlib.sha256(b"carryover.key-id/1" + key).hexdigest()[:16]
    return {"key": name, "hmacSHA256": digits(document, root, key)}


def seal_again(root: Path) -> None:
    """Makes every seal of a copied container fit, as far as its documents are whole."""
    mine = key()
    state = root / STATE
    if mine is None or not state.is_dir():
        return
    for path in (*state.glob("*.json"), *state.glob("*.json.tmp"), *state.glob("runs/*/record.json*")):
        text = path.read_text(errors="replace")
        try:
            document = json.loads(text)
        except json.JSONDecodeError:
            continue
        if found := document.pop("seal", None):
            path.write_text(text.replace(found["hmacSHA256"], digits(document, root, mine)))
