"""The others at a table: bots, chat and emotes, who goes away and comes back, and one game after another."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.rooms.presence import Patience
from app.rooms.timing import Timing
from app.schema import migrate
from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    DESKTOP,
    make_table,
    open_page,
    second_socket,
    sit_opposite,
    start_game,
)
from tests.e2e.table_client import TableClient
from tests.rooms.serving import HOST, listening

ONE_CELL = {"dice": 5, "rows": [{"row": "sixes"}], "columns": [{"column": "free"}]}
MARKUP = "<img src=x onerror=alert(1)> & <b>hi</b>"
# As a worker has it, but nobody has to wait a minute until a player counts as gone.
IMPATIENT = Timing(look=0.1, poll=0.1, renew=1, patience=Patience(worse=200, gone=1_000))


async def test_a_solo_game_against_a_bot_takes_two_taps_to_the_first_roll(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/")
        await page.get_by_test_id("solo-bots").select_option("1")
        await page.goto("/")
        await page.get_by_test_id("solo").click()
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("chip-1")).to_contain_text("Bot 1")
        await _write(page)
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")
        await expect(page.get_by_test_id("chat-open")).to_be_hidden()


async def test_two_browsers_talk_and_each_reads_emotes_in_its_own_language(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as lija, open_page(browser, base_url, DESKTOP) as medo:
        await _meet(lija, medo)
        await _choose_serbian(medo)
        await start_game(lija)
        await medo.keyboard.press("KeyC")
        await medo.get_by_test_id("chat-field").fill(MARKUP)
        await expect(medo.locator("#chat-count")).to_have_text(f"{len(MARKUP)} od 200")
        await medo.keyboard.press("Enter")
        await expect(medo.get_by_test_id("chat-line")).to_have_text(f"Medo: {MARKUP}")
        await expect(lija.get_by_test_id("bubble")).to_have_text(f"Medo: {MARKUP}")
        await expect(lija.get_by_test_id("unread").first).to_have_text("1")
        await expect(lija.locator("#spoken")).not_to_contain_text("hi")
        await lija.keyboard.press("KeyC")
        await expect(lija.get_by_test_id("chat-line")).to_have_text(f"Medo: {MARKUP}")
        await expect_no_findings(lija, "chat")
        await lija.get_by_test_id("emote-well_played").click()
        await expect(lija.locator("#chat")).to_be_hidden()
        await expect(medo.get_by_test_id("chat-line").last).to_have_text("Lija: Odlično odigrano!")
        await lija.keyboard.press("KeyC")
        await expect(lija.get_by_test_id("emote-thanks")).to_be_disabled()
        await expect(lija.get_by_test_id("emote-wait")).to_contain_text("in 2 seconds")
        await lija.keyboard.press("Escape")
        await lija.get_by_test_id("more").click()
        await lija.get_by_test_id("people-open").click()
        await lija.get_by_test_id("chat-switch").uncheck()
        await expect(medo.get_by_test_id("chat-field")).to_be_hidden()
        await expect(medo.get_by_test_id("emote-hello")).to_be_enabled()
        await expect_no_findings(lija, "players")


async def test_who_is_removed_from_the_lobby_reads_it_there(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as lija, open_page(browser, base_url) as medo:
        await _meet(lija, medo)
        await expect(medo.get_by_test_id("removed")).to_be_hidden()
        await lija.get_by_test_id("kick-1").click()
        await expect(medo.get_by_test_id("removed")).to_have_text("The host removed you from the table.")
        await expect(medo.get_by_test_id("removed")).to_be_visible()
        await expect(lija.get_by_test_id("removed")).to_be_hidden()


async def test_a_bot_plays_the_turn_of_a_player_who_is_away_until_he_is_back(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        _impatient_server(tmp_path) as base_url,
        open_page(browser, base_url) as lija,
        open_page(browser, base_url) as medo,
    ):
        room = await _meet(lija, medo)
        await start_game(lija)
        await lija.get_by_test_id("roll").click()
        await _write(lija)
        await expect(medo.get_by_test_id("roll")).to_contain_text("Roll 1")
        await medo.goto("about:blank")
        await expect(lija.locator("#spoken")).to_contain_text("Medo is reconnecting.")
        await expect(lija.get_by_test_id("offer-bot")).to_be_visible()
        await expect(lija.get_by_test_id("chip-1")).to_contain_text("not connected")
        await expect_no_findings(lija, "asked to wait")
        await lija.get_by_test_id("offer-bot").click()
        await expect(lija.get_by_test_id("roll")).to_contain_text("Roll 1")
        await medo.goto(room)
        await expect(lija.locator("#spoken")).to_contain_text("Medo is back.")
        await _leave_and_come_back(lija, medo)
        await lija.get_by_test_id("roll").click()
        await _write(lija)
        await medo.get_by_test_id("roll").click()
        await expect(lija.get_by_test_id("status")).to_contain_text("Medo, roll 1")


async def test_the_next_game_begins_when_all_have_asked_for_it_and_wins_are_counted(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page, _played_with_medo(page, base_url) as medo:
        await expect(page.get_by_test_id("tally")).to_have_text(
            re.compile(r"^Table so far: (You: 1, Medo: 0|Medo: 1, You: 0|You: 1, Medo: 1)$")
        )
        await expect(page.get_by_test_id("next-starter")).to_have_text("Medo starts the next game.")
        game = medo.state["result"]["game"]
        await page.get_by_test_id("rematch").click()
        await expect(page.get_by_test_id("rematch")).to_have_text("Rematch · 1/2")
        await expect_no_findings(page, "waiting for the rematch")
        answer = await medo.command(type="rematch", game=game)
        assert answer["type"] == "ok"
        await medo.must(type="ready", ready=True, text="new dice of Medo")
        await expect(page.get_by_test_id("status")).to_have_text("Medo is to move")
        texts = {seat["name"]: seat["text"] for seat in medo.state["seats"]}
        assert texts["Medo"] == "new dice of Medo"
        assert re.fullmatch("[a-z0-9]{24}", texts["Lija"])
        await medo.act(type="roll", hold=[])
        await expect(page.get_by_test_id("status")).to_have_text("Medo, roll 1")


async def test_who_is_left_alone_before_the_next_game_can_start_it(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        async with _played_with_medo(page, base_url) as medo:
            await page.get_by_test_id("rematch").click()
            await expect(page.get_by_test_id("rematch")).to_have_text("Rematch · 1/2")
            await page.get_by_test_id("to-the-room").click()
            await expect(page.get_by_test_id("start")).to_be_hidden()
            await medo.must(type="leave")
        await page.get_by_test_id("start").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")


@asynccontextmanager
async def _played_with_medo(page: Page, base_url: str) -> AsyncIterator[TableClient]:
    """The page after a game of one cell with Medo, a program."""
    code = await make_table(page, "classic-5x4")
    await _play_one_cell(page, base_url)
    async with sit_opposite(base_url, code) as medo:
        await start_game(page)
        await page.get_by_test_id("roll").click()
        await _write(page)
        await medo.wait_until(lambda: medo.state["turn"]["seat"] == 1)
        await medo.act(type="roll", hold=[])
        await medo.act(type="fill", column="free", row="sixes")
        yield medo


async def _play_one_cell(page: Page, base_url: str) -> None:
    """The shortest game that there is, at the table of the page."""
    made = await page.request.post("/api/variants", data=ONE_CELL)
    variant = (await made.json())["id"]
    async with second_socket(page, base_url) as same:
        await same.must(type="settings", variant=variant, max_seats=2)


async def test_the_clock_of_a_turn_is_shown_and_told_aloud_when_twenty_seconds_are_left(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await page.clock.install()
        code = await make_table(page, "classic-5x4")
        await page.get_by_test_id("pace").select_option("brisk")
        async with sit_opposite(base_url, code):
            await start_game(page)
            clock = page.get_by_test_id("clock")
            await expect(clock).to_have_text(re.compile(r"Time left 0:(40|3\d)"))
            await expect(page.locator("#alarm")).to_be_empty()
            await page.clock.fast_forward(19_000)
            await expect(page.locator("#alarm")).to_have_text(
                re.compile(r"^\d\d seconds left for your turn\.$")
            )
            await expect(clock).to_have_attribute("data-low", "")


@asynccontextmanager
async def _impatient_server(folder: Path) -> AsyncIterator[str]:
    settings = Settings(data_dir=folder)
    database = Database(settings.database_url)
    await migrate(database)
    await database.dispose()
    async with listening(create_app(settings, timing=IMPATIENT)) as port:
        yield f"http://{HOST}:{port}"


async def _meet(lija: Page, medo: Page) -> str:
    """Lija's table with Medo at it, who is ready; its address."""
    code = await make_table(lija, "classic-5x4")
    await medo.goto(f"/rooms/{code}")
    await medo.get_by_test_id("name").fill("Medo")
    await medo.get_by_test_id("join").click()
    await medo.get_by_test_id("ready").click()
    return f"/rooms/{code}"


async def _write(page: Page) -> None:
    await page.locator("button[data-cell]").first.click()
    await page.get_by_test_id("write").click()


async def _choose_serbian(page: Page) -> None:
    await page.get_by_test_id("menu").click()
    await page.get_by_test_id("language").select_option("sr-Latn")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def _leave_and_come_back(lija: Page, medo: Page) -> None:
    """Medo leaves the game, and takes his seat back."""
    await medo.get_by_test_id("more").click()
    await medo.get_by_test_id("leave-game").click()
    await medo.get_by_test_id("ask-yes").click()
    await expect(lija.get_by_test_id("chip-1")).to_contain_text("a bot plays")
    await expect(medo.get_by_test_id("status")).to_have_text("You left: a bot plays on for you")
    await medo.get_by_test_id("take-back").click()
    await expect(medo.get_by_test_id("take-back")).to_be_hidden()
    await expect(lija.get_by_test_id("chip-1")).not_to_contain_text("a bot plays")
