"""A player's way to the servers: a port of his own on this computer, and what can go wrong on the way."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

HOST = "127.0.0.1"
_CHUNK = 65536
_CONNECT_SECONDS = 1.0


class Line:
    """Forwards connections to one of several servers, another one at each try as a load balancer does.

    Every fault concerns the connections there are; a new connection is a good one.
    """

    def __init__(self, ports: Sequence[int], first: int = 0) -> None:
        self._ports = ports
        self._next = first
        self._links: set[_Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._doom: float | None = None
        self.port = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Line"]:
        """Accept connections, until the end."""
        server = await asyncio.start_server(self._accept, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Break every connection off."""
        for link in tuple(self._links):
            link.abort()

    def go_silent(self) -> None:
        """Connections stay open, and nothing arrives any more, either way."""
        for link in self._links:
            link.is_silent = True

    def stop_reading(self) -> None:
        """The client no longer takes what the server sends."""
        for link in self._links:
            link.reads.clear()

    def read_again(self) -> None:
        """It takes all that has waited."""
        for link in self._links:
            link.reads.set()

    def doom_the_next_command(self, part: float) -> None:
        """The connection of the next command breaks when that part of it has got through; 1 is all of it."""
        self._doom = part

    def command_comes(self) -> None:
        """What the client sends next is a command."""
        if self._doom is not None:
            for link in self._links:
                link.doom = self._doom
            self._doom = None

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._forward(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far = await self._connect()
        if far is None:
            writer.transport.abort()
            return
        link = _Link(writer, far[1])
        self._links.add(link)
        try:
            await link.forward(reader, far[0])
        finally:
            self._links.discard(link)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in self._ports:
            port = self._ports[self._next % len(self._ports)]
            self._next += 1
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_CONNECT_SECONDS):
                    return await asyncio.open_connection(HOST, port)
        return None


class _Link:
    """One connection, both halves."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self._near = near
        self._far = far
        self.is_silent = False
        self.doom: float | None = None
        self.reads = asyncio.Event()
        self.reads.set()

    def abort(self) -> None:
        for writer in (self._near, self._far):
            writer.transport.abort()

    async def forward(self, near: asyncio.StreamReader, far: asyncio.StreamReader) -> None:
        halves = [asyncio.create_task(self._up(near)), asyncio.create_task(self._down(far))]
        try:
            await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
            # An orderly end: what the other half still has to say is said.
            await asyncio.wait(halves, timeout=1)
        finally:
            for half in halves:
                half.cancel()
            await asyncio.gather(*halves, return_exceptions=True)
            self.abort()

    async def _up(self, near: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while received := await near.read(_CHUNK):
                if self.doom is not None:
                    await self._break_in(received, self.doom)
                    return
                if not self.is_silent:
                    self._far.write(received)
                    await self._far.drain()
            self._far.write_eof()

    async def _down(self, far: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while True:
                await self.reads.wait()
                received = await far.read(_CHUNK)
                if not received:
                    break
                await self.reads.wait()
                if not self.is_silent:
                    self._near.write(received)
                    await self._near.drain()
            self._near.write_eof()

    async def _break_in(self, received: bytes, part: float) -> None:
        self._near.transport.abort()
        self._far.write(received[: int(len(received) * part)])
        await self._far.drain()
        self._far.close()
