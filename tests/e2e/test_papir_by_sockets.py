"""A whole game of papir for three, by socket clients, over both stores."""

from tests.conftest import StartApp
from tests.e2e.whole_game import play_and_check
from tests.servers import AppServer


async def test_a_game_of_three_on_one_worker_with_the_embedded_store(start_app: StartApp) -> None:
    await play_and_check([start_app()])


async def test_a_game_of_three_over_two_workers_with_redis_and_postgresql(
    two_workers: list[AppServer],
) -> None:
    await play_and_check(two_workers)
