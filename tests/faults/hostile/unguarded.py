"""The application as any server of ASGI would serve it, without bounds on connections, heads and frames."""

import sys
from collections.abc import Sequence

from tests.faults.hostile.ground import UsualServer


class UnguardedServer(UsualServer):
    """It looks the same to those who play: only strangers can do more to it."""

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "tests.faults.broken", "whole"]
