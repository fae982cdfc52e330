"""How much of this process's time a request takes: in the loop, and in threads on its behalf."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Spent:
    """Seconds that were taken so far."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0.0


_spent: ContextVar[Spent | None] = ContextVar("spent", default=None)


class Measured:
    """Awaits a coroutine and adds up the time in which it runs. Time in which it waits counts for nothing."""

    __slots__ = ("_coroutine", "_spent")

    def __init__(self, coroutine: Coroutine[Any, Any, None], spent: Spent) -> None:
        self._coroutine = coroutine
        self._spent = spent

    def __await__(self) -> Generator[Any, Any, None]:
        _spent.set(self._spent)
        step: Callable[[], Any] = lambda: self._coroutine.send(None)  # noqa: E731 - replaced by every turn
        while True:
            begun = perf_counter()
            try:
                waited_for = step()
            except StopIteration:
                return
            finally:
                self._spent.seconds += perf_counter() - begun
            step = yield from self._wait(waited_for)

    def _wait(self, waited_for: Any) -> Generator[Any, Any, Callable[[], Any]]:
        """Have the loop wait, and say how the coroutine goes on: with an answer or an error."""
        try:
            answer = yield waited_for
        except GeneratorExit:
            self._coroutine.close()
            raise
        except BaseException as error:  # noqa: BLE001 - the coroutine's to handle, such as being cancelled
            thrown = error
            return lambda: self._coroutine.throw(thrown)
        return lambda: self._coroutine.send(answer)


async def in_thread(work: Callable[_P, _T], *args: _P.args, **options: _P.kwargs) -> _T:
    """As `asyncio.to_thread`; what it takes counts for the request that asks for it."""
    return await asyncio.to_thread(counted(work), *args, **options)


def counted(work: Callable[_P, _T]) -> Callable[_P, _T]:
    """The same work; wherever it runs, what it takes counts for the present request."""
    spent = _spent.get()

    def run(*args: _P.args, **options: _P.kwargs) -> _T:
        begun = perf_counter()
        try:
            return work(*args, **options)
        finally:
            if spent is not None:
                spent.seconds += perf_counter() - begun

    return run
