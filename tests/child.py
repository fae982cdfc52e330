"""Become another program that ends when the test run does, however that ends. Run as a script.

A test run may be killed without a chance to tidy up; Linux then sends the signal asked for here. It is a
program of its own because code between fork and exec is not safe in a run that has threads.

usage: child.py SIGNAL USER PARENT_PID PROGRAM [ARGUMENT ...]
SIGNAL is a number; USER is a name to run as, or "-" for nobody else.
"""

import ctypes
import os
import pwd
import sys

PR_SET_PDEATHSIG = 1


def become(user: str) -> None:
    """Give up root: PostgreSQL refuses to run as it."""
    account = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)


def end_with(parent: int, number: int) -> None:
    """Ask for the signal; after a change of user, which would take it back."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        sys.exit("the test run has ended already")


if __name__ == "__main__":
    _, number, user, parent, *command = sys.argv
    if user != "-":
        become(user)
    end_with(int(parent), int(number))
    os.execv(command[0], command)  # noqa: S606 - no shell is what is wanted
