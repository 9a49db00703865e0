"""A command without its names of functions, and a file with them, which debuggers find by the build id in both."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

DEBUG = "carryover.debug"


def split(binary: Path) -> tuple[bytes, bytes | None]:
    """The bytes to ship, and those of the debug file; of a program that is not ELF, its own and none."""
    content = binary.read_bytes()
    if not content.startswith(b"\x7fELF") or not shutil.which("objcopy"):
        return content, None
    with tempfile.TemporaryDirectory() as folder:
        debug, stripped = Path(folder, DEBUG), Path(folder, "carryover")
        subprocess.run(["objcopy", "--only-keep-debug", binary, debug], check=True)
        # The name of the debug file is relative to the working folder.
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={DEBUG}", binary.resolve(), stripped], check=True, cwd=folder)
        return stripped.read_bytes(), debug.read_bytes()
