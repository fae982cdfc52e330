"""The replay on a finished game's page: by buttons, keys, slider, cells, list and address, and by itself."""

import re

from playwright.async_api import Browser, Page, expect

from app.db import Database
from app.rules.events import Announced, Filled, Rolled, Undone
from app.rules.presets import CLASSIC_5X4, named
from app.rules.record import Record
from app.rules.replay import Step, steps_of_game
from app.rules.sheet import total
from app.rules.state import Undoing
from app.scores.recording import make_record_game
from tests.browser.axe import expect_no_findings
from tests.browser.players import DESKTOP, PHONE, SMALL, open_page, stop_the_clock
from tests.conftest import StartApp
from tests.rules.games import honest_record
from tests.servers import AppServer
from tests.values import replace

BOT_FROM = 11
SHEET = named(
    replace(
        CLASSIC_5X4,
        rows=tuple(rule for rule in CLASSIC_5X4.rows if rule.row in {"ones", "sixes", "max", "min", "yamb"}),
        columns=tuple(one for one in CLASSIC_5X4.columns if one.kind != "up"),
    )
)


def a_game() -> Record:
    """A game of two with entries that were taken back; a bot plays for Medo from turn 11 on."""
    played = honest_record(SHEET, 2, 5, undo=Undoing.ENTRY)
    lija, medo = played.seats
    seats = (replace(lija, name="Lija"), replace(medo, name="Medo", ended=f"bot_from_turn_{BOT_FROM}"))
    return replace(played, game_id="greplay", seats=seats)


RECORD = a_game()
STEPS = steps_of_game(RECORD.first, RECORD.log)
LAST = len(STEPS)


def first_step_with(*kinds: type) -> int:
    """The position after the first step in which all of that happens and something was kept."""
    return next(
        position
        for position, step in enumerate(STEPS, 1)
        if {*kinds} <= {type(event) for event in step.events} and kept_in(step)
    )


def kept_in(step: Step) -> int:
    """How many dice were held for another roll."""
    return sum(len(event.held) for event in step.events if isinstance(event, Rolled))


def entry_of(step: Step) -> str:
    """The cell that the step has written, as pages name it."""
    filled = next(event for event in reversed(step.events) if isinstance(event, Filled))
    return f"{filled.cell.column}/{filled.cell.row}"


async def write_books(app: AppServer) -> None:
    database = Database(f"sqlite+aiosqlite:///{app.folder / 'var' / 'yamb.db'}")
    await make_record_game(database)(RECORD)
    await database.dispose()


async def expect_turn(page: Page, position: int) -> None:
    await expect(page.get_by_test_id("replay-position")).to_have_text(f"Turn {position} of {LAST}")


async def expect_address(page: Page, position: int) -> None:
    await page.wait_for_url(re.compile(rf"/games/greplay\?move={position}$"))


async def test_a_finished_game_is_stepped_through(start_app: StartApp, browser: Browser) -> None:
    app = start_app()
    await write_books(app)
    async with open_page(browser, app.base_url, reduced_motion="reduce") as page:
        await page.clock.install()
        await page.goto("/games/greplay")
        await page.get_by_test_id("replay-open").dblclick()
        await expect_turn(page, 0)
        await step_by_keys_and_buttons(page)
        await jump(page)
        await look_at_a_turn(page)
        await let_it_play(page)
        for viewport in (SMALL, PHONE, DESKTOP):
            await page.set_viewport_size(viewport)
            await expect_room_for_thumbs(page)
        await open_by_address(page)
        await expect_no_findings(page, "replay")


async def step_by_keys_and_buttons(page: Page) -> None:
    """The focus is on the heading: keys step from the start on. The ends are the ends."""
    spoken = page.locator("#spoken")
    await page.keyboard.press("ArrowLeft")
    await expect_turn(page, 0)
    await page.keyboard.press("ArrowRight")
    await expect_turn(page, 1)
    await expect(spoken).to_contain_text(f"Turn 1 of {LAST}. Lija ")
    await page.keyboard.press("End")
    await expect_turn(page, LAST)
    final = [total(RECORD.final.layout, sheet) for sheet in RECORD.final.sheets]
    await expect(page.get_by_test_id("replay-total")).to_have_text(f"Medo: {final[1]}")
    await page.get_by_test_id("replay-seat").select_option("0")
    await expect(page.get_by_test_id("replay-total")).to_have_text(f"Lija: {final[0]}")
    await expect(page.get_by_test_id("replay-forward")).to_have_attribute("aria-disabled", "true")
    await page.get_by_test_id("replay-back").click()
    await expect_turn(page, LAST - 1)
    await expect_address(page, LAST - 1)
    await page.keyboard.press("Home")
    await expect_turn(page, 0)
    await page.get_by_test_id("replay-last").click()
    await page.get_by_test_id("replay-first").click()
    await expect_turn(page, 0)


async def jump(page: Page) -> None:
    """By the slider, by a written cell with a tap and with keys, and by the list."""
    await page.get_by_test_id("replay-slider").fill("20")
    await expect_turn(page, 20)
    cell = entry_of(STEPS[2])
    written = page.locator(f".replay button[data-cell='{cell}']")
    await written.click()
    await expect_turn(page, 3)
    await expect(page.locator(f".replay td.last[data-at='{cell}']")).to_have_count(1)
    await expect(written).to_have_accessible_name(re.compile("show its turn, .*last entry"))
    # In the grid the keys move from cell to cell, not through the game.
    await page.keyboard.press("ArrowRight")
    await expect_turn(page, 3)
    await page.get_by_test_id("replay-slider").press("End")
    await expect_turn(page, LAST)
    first = page.locator(f".replay button[data-cell='{entry_of(STEPS[0])}']")
    await first.focus()
    await page.keyboard.press("Enter")
    await expect_turn(page, 1)
    await page.get_by_test_id("replay-moves-open").click()
    listed = page.get_by_test_id("replay-moves").get_by_role("button")
    await expect(listed).to_have_count(LAST)
    await listed.nth(14).click()
    await expect_turn(page, 15)
    await expect(listed.nth(14)).to_have_attribute("aria-current", "step")
    await expect(page.locator("[aria-current=step]")).to_have_count(1)


async def look_at_a_turn(page: Page) -> None:
    """Rolls with what was kept, an announcement, an entry taken back, a bot in a player's place."""
    await page.get_by_test_id("replay-seat").select_option("")
    events = page.get_by_test_id("replay-events")
    slider = page.get_by_test_id("replay-slider")
    undone, announced = first_step_with(Undone), first_step_with(Announced)
    await slider.fill(str(undone))
    await expect(events).to_contain_text("takes the last entry back")
    rolls = [event for event in STEPS[undone - 1].events if isinstance(event, Rolled)]
    await expect(events.locator(".replay-roll")).to_have_count(len(rolls))
    await expect(events.locator(".die.held")).to_have_count(kept_in(STEPS[undone - 1]))
    await slider.fill(str(announced))
    await expect(events).to_contain_text("announces")
    await expect(page.locator(".replay td.announced.last")).to_have_count(1)
    medo = BOT_FROM + BOT_FROM % 2
    for position, bots in ((medo - 2, 0), (medo, 1)):
        await slider.fill(str(position))
        await expect(page.get_by_test_id("replay-bot")).to_have_count(bots)
    await page.get_by_test_id("replay-totals-open").click()
    await expect(page.get_by_test_id("replay-totals").locator("tbody tr")).to_have_count(LAST // 2)


async def let_it_play(page: Page) -> None:
    """At a speed that is remembered, until it is stopped or at its end; nothing else moves by itself."""
    play = page.get_by_test_id("replay-play")
    await page.get_by_test_id("replay-speed").select_option("4")
    await page.get_by_test_id("replay-slider").fill(str(LAST - 4))
    await expect_address(page, LAST - 4)
    await stop_the_clock(page)
    await play.click()
    await expect(play).to_have_accessible_name("Pause")
    await expect_turn(page, LAST - 3)
    await page.clock.run_for(500)
    await expect_turn(page, LAST - 2)
    await play.click()
    await expect(play).to_have_accessible_name("Play")
    await page.clock.run_for(60_000)
    await expect_turn(page, LAST - 2)
    for _ in range(2):
        await page.get_by_test_id("replay-back").click()
    await page.get_by_test_id("replay-forward").click()
    # Who steps fast hears where he has come to, and not every turn on the way.
    await page.clock.run_for(5_000)
    await expect(page.locator("#spoken")).to_have_text(re.compile(rf"^Turn {LAST - 3} of (?!.*Turn)"))
    await play.click()
    await page.clock.run_for(1_000)
    await expect_turn(page, LAST)
    await expect(play).to_have_accessible_name("Play")
    await play.click()
    await expect_turn(page, 0)
    await page.get_by_test_id("replay-last").click()
    await expect(play).to_have_accessible_name("Play")
    await page.clock.run_for(60_000)
    await expect_turn(page, LAST)
    await page.clock.resume()
    assert await page.evaluate("() => document.getAnimations().length") == 0
    await page.reload()
    await expect(page.get_by_test_id("replay-speed")).to_have_value("4")
    await expect_turn(page, LAST)


async def expect_room_for_thumbs(page: Page) -> None:
    small = "(all, least) => all.filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < least).length"
    controls = page.locator(".replay-buttons > *, .replay-controls input, .replay-whose select")
    assert await controls.evaluate_all(small, 44) == 0
    assert await page.locator(".replay td button").evaluate_all(small, 24) == 0
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def open_by_address(page: Page) -> None:
    """A link opens where it was made; a position that isn't there is the nearest one."""
    await page.goto("/games/greplay?move=99999")
    await expect_turn(page, LAST)
    await page.goto("/games/greplay?move=14")
    await expect_turn(page, 14)
    await expect(page.get_by_test_id("replay-position")).to_be_in_viewport()
