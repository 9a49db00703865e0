"""What ends a command, with its exit status."""


class Failure(Exception):
    """An error for the user: what happened, where, and what to do."""

    status = 1


class Usage(Failure):
    """The command line, or the audit that it names, is not what the command needs."""

    status = 64


class Changed(Failure):
    """The audit is complete, and a container was not read as it was planned."""

    status = 4


class Unfinished(Failure):
    """The run stopped, and can be continued."""

    status = 5


class Unusable(Failure):
    """No worker can work like this, so trying again elsewhere is no use."""
