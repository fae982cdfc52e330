"""A network path to a server that can go silent: connections stay open and nothing arrives any more."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class SilentPath:
    """Forwards every connection to a server. `go_silent` swallows what those of now send, both ways."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self._connections: list[asyncio.Event] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._answered = b""
        self._has_answered = asyncio.Event()
        self.url = ""

    def go_silent(self) -> None:
        """Those connected now hear nothing any more; new connections work."""
        for is_silent in self._connections:
            is_silent.set()

    async def until_answered(self, sought: bytes, times: int) -> None:
        """Return when the server has sent that so often."""
        while self._answered.count(sought) < times:
            self._has_answered.clear()
            await self._has_answered.wait()

    @asynccontextmanager
    async def open(self) -> AsyncIterator["SilentPath"]:
        """Accept connections on a port of this computer."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        self.url = self._target._replace(netloc=f"127.0.0.1:{port}").geturl()
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_silent = asyncio.Event()
        self._connections.append(is_silent)
        far_reader, far_writer = await asyncio.open_connection(self._target.hostname, self._target.port)
        for source, target, heard in (
            (reader, far_writer, lambda _: None),
            (far_reader, writer, self._hear),
        ):
            task = asyncio.create_task(_forward(source, target, is_silent, heard))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _hear(self, answer: bytes) -> None:
        self._answered += answer
        self._has_answered.set()


async def _forward(
    source: asyncio.StreamReader,
    target: asyncio.StreamWriter,
    is_silent: asyncio.Event,
    heard: Callable[[bytes], None],
) -> None:
    try:
        while received := await source.read(65536):
            if not is_silent.is_set():
                heard(received)
                target.write(received)
    except OSError:
        pass  # cut off: so is the other side
    finally:
        target.close()
