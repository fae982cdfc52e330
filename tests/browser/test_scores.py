"""Leaderboards with their filters, and players' pages, over games that were put into a server's books."""

import re
from datetime import UTC, datetime, timedelta

from playwright.async_api import Browser, Page, expect

from app.accounts.names import MAX_CHARACTERS
from app.db import Database
from app.rules.presets import MY_YAHTZEE
from app.rules.record import Record
from app.scores.recording import make_record_game
from tests.browser.axe import expect_no_findings
from tests.browser.players import SMALL, open_page
from tests.conftest import StartApp
from tests.games import play
from tests.servers import AppServer
from tests.values import replace

NOW = datetime.now(UTC)
LAST_MONTH = NOW.replace(day=1, hour=12) - timedelta(days=3)


def game_of(game: str, record: Record, ended_at: datetime, *players: tuple[str, str]) -> Record:
    """The same game under another id, with (id, name) in its seats and ended then."""
    seats = tuple(
        replace(seat, player=player, name=name)
        for seat, (player, name) in zip(record.seats, players, strict=True)
    )
    ended = int(ended_at.timestamp() * 1000)
    return replace(record, game_id=game, ended_at=ended, started_at=ended - 60_000, seats=seats)


async def make_player(page: Page, name: str) -> tuple[str, str]:
    """A guest in the browser of the page: id and name."""
    made = await page.request.post("/api/guests", data={"name": name})
    return str((await made.json())["player"]), name


async def write_books(app: AppServer, lija: tuple[str, str], medo: tuple[str, str]) -> None:
    """Seven games of both, of which one is of the month before; and one of Lija alone by other rules."""
    played = [play(seats=2, seed=seed) for seed in (1, 2)]
    alone = play(MY_YAHTZEE, 1, seed=3)
    records = [game_of("g1", played[0], LAST_MONTH, medo, lija), game_of("g2", alone, NOW, lija)]
    records += [
        game_of(f"g{index + 3}", played[index % 2], NOW - timedelta(seconds=index), lija, medo)
        for index in range(6)
    ]
    await write(app, records)


async def write(app: AppServer, records: list[Record]) -> None:
    """Put the games into the server's books."""
    database = Database(f"sqlite+aiosqlite:///{app.folder / 'var' / 'yamb.db'}")
    for record in records:
        await make_record_game(database)(record)
    await database.dispose()


async def expect_no_sideways_scroll(page: Page) -> None:
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def test_boards_and_players_are_found_from_each_other(start_app: StartApp, browser: Browser) -> None:
    app = start_app()
    async with open_page(browser, app.base_url) as page, open_page(browser, app.base_url) as other:
        lija = await make_player(page, "Lija")
        medo = await make_player(other, "Medo")
        await write_books(app, lija, medo)
        await walk_over_a_board(page)
        await filter_a_board(page)
        await look_at_a_player(page, lija[0])
        await other.request.delete("/api/me", data={}, headers={"origin": app.base_url})
        await other.goto("/leaderboards?variant=classic-5x4&mode=players")
        await expect(other.get_by_test_id("leaderboard-row")).to_have_count(2)
        await expect(other.get_by_test_id("leaderboard-row").filter(has_text="Deleted player")).to_have_count(
            1
        )
        await expect(other.get_by_test_id("player-link")).to_have_count(1)
        await expect(other.get_by_test_id("my-place")).to_be_hidden()
        await other.goto(f"/players/{medo[0]}")
        await expect(other.get_by_text("There is no player at this address.")).to_be_visible()
        await other.goto("/games/g3")
        await expect(other.get_by_test_id("result")).to_contain_text("Deleted player")
        await expect(other.get_by_test_id("player-link")).to_have_text(f"Lija #{lija[0][-4:]}")


async def walk_over_a_board(page: Page) -> None:
    """By the links of its pages, back and forward, loading again, and by an address that is out of date."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    rows = page.get_by_test_id("leaderboard-row")
    await page.goto("/leaderboards?variant=classic-5x4")
    await expect(rows).to_have_count(10)
    first = await rows.all_inner_texts()
    await expect(page.get_by_test_id("page-first")).to_have_count(0)
    await expect(page.get_by_test_id("page-previous")).to_have_count(0)
    await page.get_by_test_id("page-next").click()
    await expect(rows).to_have_count(4)
    second, second_url = await rows.all_inner_texts(), page.url
    await expect(page.get_by_test_id("page-next")).to_have_count(0)
    await page.reload()
    await expect(rows).to_have_text(second, use_inner_text=True)
    await page.go_back()
    await expect(rows).to_have_text(first, use_inner_text=True)
    await page.go_forward()
    await expect(rows).to_have_text(second, use_inner_text=True)
    await page.get_by_test_id("page-previous").click()
    await expect(rows).to_have_text(first, use_inner_text=True)
    await page.go_back()
    await expect(rows).to_have_text(second, use_inner_text=True)
    assert page.url == second_url
    await page.get_by_test_id("page-first").click()
    await expect(rows).to_have_text(first, use_inner_text=True)
    assert page.url.endswith("?variant=classic-5x4&period=all")
    # Each time that the page was loaded, and not at each of its addresses.
    assert asked.count("me") == 2

    await page.go_back()
    await expect(rows).to_have_count(4)
    await page.get_by_test_id("filter-mode").select_option("players")
    await expect(rows).to_have_count(2)
    assert page.url.endswith("?variant=classic-5x4&period=all&mode=players")
    await page.goto(second_url.replace("period=all", "period=month"))
    await expect(rows.first).to_be_visible()
    assert page.url.endswith("?variant=classic-5x4&period=month")


async def test_a_name_of_wide_letters_makes_no_page_wider(start_app: StartApp, browser: Browser) -> None:
    app = start_app()
    async with open_page(browser, app.base_url, SMALL) as page:
        wide = await make_player(page, "W" * MAX_CHARACTERS)
        game = game_of("g1", play(MY_YAHTZEE, 2, seed=3), NOW, wide, ("pm", "M" * MAX_CHARACTERS))
        await write(app, [game])
        boards = (f"/leaderboards?variant={MY_YAHTZEE.id}&mode={mode}" for mode in ("results", "players"))
        for address in ("/", "/me", f"/players/{wide[0]}", f"/games/{game.game_id}", *boards):
            await page.goto(address)
            if address != "/":
                await expect(page.get_by_text(wide[1]).first).to_be_visible()
            await expect_no_sideways_scroll(page)


async def filter_a_board(page: Page) -> None:
    """Periods, players, one's own, one's own place, and a tap on a row."""
    rows, total = page.get_by_test_id("leaderboard-row"), page.get_by_test_id("board-total")
    await page.goto("/leaderboards?variant=classic-5x4")
    await expect(total).to_have_text("Results: 14")
    await expect(rows).to_have_count(10)
    await expect_no_findings(page, "a leaderboard")
    await expect_no_sideways_scroll(page)
    await page.get_by_test_id("filter-mode").select_option("players")
    await expect(total).to_have_text("Players: 2")
    await page.get_by_test_id("filter-period").select_option(f"{LAST_MONTH:%Y-%m}")
    await expect(page.get_by_test_id("board-period")).to_have_text(f"{LAST_MONTH:%B %Y}")
    await page.get_by_test_id("filter-mode").select_option("results")
    await expect(total).to_have_text("Results: 2")
    await page.get_by_test_id("filter-mine").check()
    await expect(total).to_have_text("Results: 1")
    assert page.url.endswith(f"?variant=classic-5x4&period={LAST_MONTH:%Y-%m}&player=me")
    await page.reload()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("you")

    await page.get_by_test_id("my-place").click()
    await page.wait_for_url(re.compile("around=g1&seat=1$"))
    await expect(page.locator("[aria-current=true]")).to_contain_text("Lija")
    await page.get_by_test_id("filter-tap").select_option("place")
    await page.get_by_test_id("filter-period").select_option("all")
    await expect(rows).to_have_count(10)
    await expect(page.locator("tr[aria-current]")).to_have_count(0)
    await rows.last.locator(".day").click()
    await page.wait_for_url(re.compile("around=g"))
    await expect(page.locator("[aria-current=true]").first).to_be_in_viewport()


async def look_at_a_player(page: Page, player: str) -> None:
    """The page of the browser's own player, from a board and from the menu; his games, and their places."""
    await page.get_by_test_id("player-link").filter(has_text="Lija").first.click()
    await page.wait_for_url(f"**/players/{player}")
    await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Lija #....$"))
    await expect(page.get_by_test_id("player-games")).to_have_text("7")
    await expect(page.get_by_test_id("best-row")).to_have_count(7)
    await expect(page.get_by_test_id("month-row")).to_have_count(6)
    await expect_no_findings(page, "a player")
    await expect_no_sideways_scroll(page)
    await page.get_by_test_id("filter-variant").select_option(MY_YAHTZEE.id)
    await expect(page.get_by_test_id("player-games")).to_have_text("1")
    await expect(page.get_by_test_id("best-row")).to_have_count(1)
    await page.get_by_test_id("best-row").get_by_role("link").click()
    name = page.get_by_test_id("result").get_by_test_id("player-link")
    await expect(name).to_have_attribute("href", f"/players/{player}")
    await expect(name).to_have_text(f"Lija #{player[-4:]}")
    await page.get_by_test_id("leaderboard-link").click()
    await expect(page.locator("[aria-current=true]")).to_contain_text("Lija")

    await page.goto("/leaderboards?variant=classic-5x4&around=nothing")
    await expect(page.get_by_test_id("board-note")).to_contain_text("has no result on this list")
    await page.get_by_test_id("menu").click()
    await page.get_by_role("link", name="My results").click()
    await page.wait_for_url(f"**/players/{player}")
    await page.goto("/me")
    await expect(page.get_by_test_id("my-results")).to_have_attribute("href", f"/players/{player}")
