"""The command on a pseudo-terminal, under a shell that does job control: keys in, bytes out, settings before and after.

Nothing here waits for a length of time. The command has settled once it sleeps in the system call that its event loop waits in, all
keys are taken and all bytes are here."""

import contextlib
import fcntl
import itertools
import os
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

# poll and ppoll, and read, by their numbers on x86-64 and AArch64. The loop waits in one of the first for two files, the
# terminal and its own pipe; curses for one.
LOOP_CALLS = {"7", "271", "73"}
LOOP_FILES = 2
READ_CALLS = {"0", "63"}
LIMIT = 60.0


class Stuck(Exception):
    pass


def plain_environment() -> dict[str, str]:
    """The same on every machine but for where programs are. The key is of this run, and never the user's own."""
    kept = {name: os.environ[name] for name in ("PATH", "XDG_STATE_HOME")}
    return {**kept, "HOME": "/nonexistent", "TZ": "UTC", "LC_ALL": "C.UTF-8", "PAGER": "true", "EDITOR": "true"}


def set_size(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def waiting_bytes(descriptor: int) -> int:
    return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0"))[0]


class Session:
    """One run of a command. `shows` is given every byte as it comes."""

    def __init__(self, arguments, *, environment=None, term="xterm-256color", columns=100, rows=30, shows=None,
                 ignoring=(), forwards_hangup=True, directory=None):
        self.master, self.terminal = os.openpty()
        set_size(self.terminal, columns, rows)
        self.before = termios.tcgetattr(self.terminal)
        self.output = bytearray()
        self.shows = shows
        self.pid = None
        self.status = None
        self.stops = self.resumed = 0
        # How often the command had slept before the last key: until it has again, the key may be on its way.
        self.sleeps = None
        self.is_line_whole = False
        reports, self.control = os.pipe(), os.pipe()
        self.report_reader = reports[0]
        variables = plain_environment()
        if term is not None:
            variables["TERM"] = term
        variables.update(environment or {})
        variables = {name: value for name, value in variables.items() if value is not None}
        sys.stdout.flush()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.close(self.master)
                os.close(reports[0])
                os.close(self.control[1])
                if directory:
                    os.chdir(directory)
                shell(self.terminal, reports[1], self.control[0], [str(a) for a in arguments], variables, ignoring, forwards_hangup)
            finally:
                os._exit(99)
        os.close(reports[1])
        os.close(self.control[0])
        while self.pid is None:
            self.take(0.05)

    # What the terminal's owner does.

    def type(self, data) -> None:
        data = memoryview(data.encode() if isinstance(data, str) else data)
        while data:
            # The line takes 4095 bytes; the rest has to wait for the reader, who may be waiting to write.
            _, writable, _ = select.select([], [self.master], [], 0)
            if writable:
                self.sleeps, self.is_line_whole = self.count_sleeps(), data[-1:] in b"\r\n\x04"
                data = data[os.write(self.master, data[:1024]):]
            self.take(0 if writable else 0.01)

    def press(self, *keys) -> None:
        """Types keys, each once the one before it has had its effect, until the command has ended."""
        for key in keys:
            if self.status is None:
                self.type(key)
                self.settle()

    def resize(self, columns: int, rows: int) -> None:
        set_size(self.master, columns, rows)

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        os.close(self.terminal)
        os.close(self.master)
        self.terminal = self.master = None

    def go_on(self) -> None:
        self.resumed += 1
        os.write(self.control[1], b"f")

    # What comes back.

    def take(self, patience: float) -> bool:
        """Takes the bytes and reports there are, waiting for the first at most this long."""
        sources = [self.report_reader] if self.master is None else [self.master, self.report_reader]
        readable, _, _ = select.select(sources, [], [], patience)
        taken = False
        for source in readable:
            try:
                data = os.read(source, 65536)
            except OSError:
                data = b""
            if source == self.report_reader:
                for line in data.decode().splitlines():
                    name, value = line.split()
                    setattr(self, name, int(value))
            elif data:
                self.output += data
                if self.shows:
                    self.shows(data)
            taken = taken or bool(data)
        return taken

    def wait(self, what: str, condition, limit: float = LIMIT) -> None:
        end = time.monotonic() + limit
        while True:
            while self.take(0):
                pass
            if condition():
                return
            if time.monotonic() > end:
                raise Stuck(f"waited in vain for {what}; the last bytes were {bytes(self.output[-300:])!r}")
            self.take(0.01)

    def count_sleeps(self):
        try:
            return self.counter("voluntary_ctxt_switches")
        except OSError:
            return None

    def counter(self, name: str) -> int:
        """A number in the system's account of the command, memory in KiB. One that has just ended has no memory."""
        found = re.search(rf"^{name}:\s*(\d+)", Path(f"/proc/{self.pid}/status").read_text(), re.MULTILINE)
        return int(found[1]) if found else 0

    def waits(self) -> bool:
        """Whether the command sleeps in its event loop or in a line, with nothing left to read."""
        try:
            if Path("/proc/self/syscall").exists():
                # The number of the call and its arguments, or `running`.
                call = Path(f"/proc/{self.pid}/syscall").read_text().split()
                in_line = call[0] in READ_CALLS and int(call[1], 16) == 0
                if not in_line and (call[0] not in LOOP_CALLS or int(call[2], 16) != LOOP_FILES):
                    return False
                # A part of a line wakes nobody.
                is_awaited = self.sleeps is not None and (self.is_line_whole or not in_line)
                return waiting_bytes(self.terminal) == 0 and not (is_awaited and self.count_sleeps() == self.sleeps)
        except OSError:
            return False
        # Elsewhere: a moment without a byte has to do.
        return waiting_bytes(self.terminal) == 0 and not self.take(0.25)

    def settle(self, limit: float = LIMIT, *, goes_on: bool = False) -> None:
        """Until the command waits for keys or has ended; one that suspends itself is continued with `goes_on`."""
        def settled():
            if self.status is not None:
                return True
            if goes_on and self.stops > self.resumed:
                self.go_on()
            # Bytes that were written before the sleep may be on their way through the line for a moment.
            return self.waits() and not self.take(0.004) and self.waits()

        self.wait("the command to settle", settled, limit)

    def stopped(self) -> None:
        self.wait("a stop", lambda: self.stops > self.resumed)

    def ended(self, limit: float = LIMIT) -> int:
        """The status as a shell gives it: 128 and the signal."""
        self.wait("the end", lambda: self.status is not None, limit)
        if self.master is not None:
            while self.take(0.004):
                pass
        return self.status

    def end(self, status: int = 0, limit: float = LIMIT) -> list[str]:
        """What is wrong with how it ends: another status, or other settings of the terminal than before."""
        found = self.ended(limit)
        wrong = [] if found == status else [f"status {found}, not {status}"]
        return wrong + ([] if self.settings() == self.before else ["the terminal's settings differ"])

    def watch(self, seconds: float) -> None:
        """Takes what comes for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.take(left)

    def ticks(self) -> int:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def peak_memory(self) -> int:
        return self.counter("VmHWM")

    def settings(self):
        return termios.tcgetattr(self.terminal)

    def close(self) -> None:
        for process in (self.pid if self.status is None else None, self.leader):
            if process:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.leader, 0)
        for descriptor in (self.master, self.terminal, self.report_reader, self.control[1]):
            if descriptor is not None:
                os.close(descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def shell(terminal, reports, control, arguments, variables, ignoring, forwards_hangup) -> None:
    """A shell as far as it concerns us: it owns the terminal, starts one job, and tells what becomes of it."""
    def report(name, value):
        with contextlib.suppress(OSError):
            os.write(reports, f"{name} {value}\n".encode())

    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for number in (signal.SIGTTOU, signal.SIGTTIN, signal.SIGTSTP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN if number in ignoring else signal.SIG_DFL)
        for target in range(3):
            os.dup2(terminal, target)
        os.closerange(3, 256)
        os.execve(arguments[0], arguments, variables)
    os.close(terminal) if not forwards_hangup else None
    with contextlib.suppress(OSError):
        os.setpgid(job, job)

    def hung_up(*_):
        with contextlib.suppress(ProcessLookupError):  # it has noticed by itself
            if forwards_hangup:
                os.kill(-job, signal.SIGHUP)

    signal.signal(signal.SIGHUP, hung_up)
    report("pid", job)
    for stops in itertools.count(1):
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(terminal, os.getpid())
            report("stops", stops)
            os.read(control, 1)
            os.tcsetpgrp(terminal, job)
            os.kill(-job, signal.SIGCONT)
            continue
        ended = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        report("status", ended)
        os._exit(0)
