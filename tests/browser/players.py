"""Ways into a table for browser tests: by its pages, and by sockets where only the state matters."""

import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.e2e.table_client import Message, TableClient, make_guest
from tests.patience import PATIENCE_SECONDS

PHONE: ViewportSize = {"width": 360, "height": 600}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SMALL: ViewportSize = {"width": 320, "height": 568}
_LONGER_THAN_A_CALL_MS = 120_000  # a clock can't be stopped at an instant that has passed meanwhile


@asynccontextmanager
async def open_page(
    browser: Browser, base_url: str, viewport: ViewportSize = PHONE, **options: object
) -> AsyncIterator[Page]:
    """A page of a new guest's browser; an error in the page's scripts fails the test.

    Nothing moves in it unless a test asks: every moving frame is drawn without a graphics card, which takes
    a quarter of the time of a turn.
    """
    errors: list[str] = []
    asked = {"locale": "en-GB", "reduced_motion": "reduce", **options}
    context = await browser.new_context(base_url=base_url, viewport=viewport, **asked)  # type: ignore[arg-type]  # each of its own type
    try:
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        page = await context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert not errors
    finally:
        await context.close()


async def stop_the_clock(page: Page) -> None:
    """From now on time passes in the page only when the test lets it.

    The page's clock must have been installed before the page was opened: timers from before an installation
    run by the real one, whatever the test says.
    """
    now: int = await page.evaluate("() => Date.now()")
    await page.clock.pause_at(now + _LONGER_THAN_A_CALL_MS)


async def start_solo(page: Page, variant: str = "classic-5x4") -> None:
    """From the first page to a solo table whose first roll waits to be made."""
    await page.goto("/")
    await page.get_by_test_id("solo-variant").select_option(variant)
    await page.get_by_test_id("solo").click()
    await expect(page.get_by_test_id("roll")).to_be_enabled()


async def make_table(page: Page, variant: str = "papir", name: str = "Lija") -> str:
    """A room made in the page, its maker seated; returns the code."""
    await page.goto("/")
    await page.get_by_test_id("name").fill(name)
    await page.get_by_test_id("play-friends").click()
    await page.wait_for_url(re.compile(r"/rooms/[A-Z]+$"))
    if variant != "classic-5x4":
        await page.get_by_test_id("variant").select_option(variant)
    return page.url.rpartition("/")[2]


@asynccontextmanager
async def sit_opposite(base_url: str, code: str, name: str = "Medo") -> AsyncIterator[TableClient]:
    """Another player at the table, by socket: seated and ready."""
    cookie = await make_guest(base_url, name)
    async with TableClient.connect(base_url, code, cookie) as other:
        await other.must(type="join", text=f"dice of {name}")
        await other.must(type="ready", ready=True)
        yield other


async def start_game(page: Page) -> None:
    """Ready and start, in the page of the host."""
    await page.get_by_test_id("ready").click()
    await page.get_by_test_id("start").click()
    await expect(page.get_by_test_id("roll")).to_be_visible()


@asynccontextmanager
async def second_socket(page: Page, base_url: str) -> AsyncIterator[TableClient]:
    """A socket of the same player at the page's table, as a second tab would have."""
    code = page.url.rpartition("/")[2]
    async with TableClient.connect(base_url, code, await cookie_of(page.context)) as same:
        yield same


async def cookie_of(context: BrowserContext) -> str:
    """The browser's cookies as a header value."""
    return "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in await context.cookies())


async def play_to_the_end(players: list[TableClient], seed: int = 1) -> None:
    """Random legal moves of all players until the game is over. `players` in seat order."""
    chance = random.Random(seed)
    while players[0].state["turn"] is not None:
        await play_a_turn(players[players[0].state["turn"]["seat"]], chance)
        version = max(player.version for player in players)
        for player in players:
            await player.wait_until_version(version)


async def play_a_turn(player: TableClient, chance: random.Random) -> None:
    """One roll and one entry."""
    await player.act(type="roll", hold=[])
    column, row = chance.choice(legal_cells(player.state))
    await player.act(type="fill", column=column, row=row)


def legal_cells(state: Message) -> list[tuple[str, str]]:
    """The cells that the seat to move can fill, as column and row."""
    return [(column, row) for column, rows in state["turn"]["legal"]["open"].items() for row in rows]
