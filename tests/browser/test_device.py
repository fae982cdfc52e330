"""Games that a player keeps on his own device: the wish, the list, the record without a server, the file."""

import json
from pathlib import Path

from playwright.async_api import Browser, FilePayload, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    cookie_of,
    make_table,
    open_page,
    play_to_the_end,
    second_socket,
    sit_opposite,
    start_game,
)
from tests.e2e.table_client import TableClient

FOUR_CELLS = {
    "dice": 5,
    "rows": [{"row": "ones"}, {"row": "sixes"}],
    "columns": [{"column": "free"}, {"column": "down"}],
}


async def make_short_table(page: Page, base_url: str) -> tuple[str, str]:
    """A lobby for a game of four turns each, its maker seated; its code and its variant."""
    code = await make_table(page, "classic-5x4")
    made = await page.request.post("/api/variants", data=FOUR_CELLS)
    variant = str((await made.json())["id"])
    async with second_socket(page, base_url) as lija:
        # The page takes the seat by itself, and nobody may be faster.
        await lija.wait_until(lambda: bool(lija.state["seats"]))
        await lija.must(type="settings", variant=variant, max_seats=2)
    return code, variant


async def play_out(page: Page, base_url: str, medo: TableClient) -> None:
    """The whole game of the page's player and Medo, by sockets."""
    async with second_socket(page, base_url) as lija:
        await play_to_the_end([lija, medo])


def content_of(path: Path) -> bytes:
    """What stands in a file."""
    return path.read_bytes()


async def take_in(page: Page, name: str, content: bytes) -> None:
    """Import a file with that content."""
    file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": content}
    await page.get_by_test_id("device-file").set_input_files(file)


async def test_a_game_is_kept_listed_shown_without_the_server_and_taken_to_another_device(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as other:
        code, variant = await make_short_table(page, base_url)
        async with sit_opposite(base_url, code) as medo:
            await page.get_by_test_id("keep").check()
            await medo.wait_until(lambda: medo.state["seats"][0]["kept"])
            await start_game(page)
            await page.get_by_test_id("more").click()
            await expect(page.get_by_test_id("keep")).to_be_checked()
            await page.keyboard.press("Escape")
            await play_out(page, base_url, medo)
        await expect(page.get_by_test_id("kept-note")).to_have_attribute("data-stage", "stored")
        await expect_no_findings(page, "over, the game being kept")
        await page.goto(f"/leaderboards?variant={variant}")
        await expect(page.get_by_test_id("leaderboard")).to_contain_text("Medo")
        await expect(page.get_by_test_id("leaderboard")).not_to_contain_text("Lija")
        await page.get_by_test_id("scores-device").click()
        await expect(page.get_by_test_id("device-row")).to_contain_text("Lija")
        await page.get_by_test_id("filter-period").select_option("month")
        await expect(page.get_by_test_id("device-row")).to_have_count(1)
        await expect_no_findings(page, "scores of the device")
        async with page.expect_download() as downloading:
            await page.get_by_test_id("device-export").click()
        exported = content_of(await (await downloading.value).path())

        await page.route("**/api/games/**", lambda route: route.abort())
        await page.get_by_test_id("device-row").get_by_role("link").click()
        await expect_both_comparisons(page)
        await page.get_by_test_id("replay-open").click()
        await expect(page.get_by_test_id("replay-position")).to_have_text("Turn 0 of 8")
        await page.keyboard.press("End")
        await expect(page.get_by_test_id("replay-position")).to_have_text("Turn 8 of 8")
        await page.wait_for_url("**/games/*?from=device&move=8")
        await expect_no_findings(page, "a game of the device")
        await page.get_by_test_id("device-remove").click()
        await page.get_by_test_id("ask-yes").click()
        await expect(page.get_by_test_id("device-count")).to_have_text("0 games are kept on this device.")

        await other.goto("/leaderboards?where=device")
        await check_imports(other, exported)


async def expect_both_comparisons(page: Page) -> None:
    """The device that sent a text says that commitment and text are those of before the start."""
    await page.get_by_test_id("check-dice").click()
    verdict = page.get_by_test_id("dice-verdict")
    await expect(verdict).to_contain_text("all are right")
    await expect(verdict).to_contain_text("the one this device saw before it sent its text")
    await expect(verdict).to_contain_text("Your text is in it.")


async def check_imports(page: Page, exported: bytes) -> None:
    """The file is taken in once; what is no such file, or damaged, changes nothing and says so."""
    told = page.get_by_test_id("device-told")
    await expect(page.get_by_test_id("device-count")).to_have_text("0 games are kept on this device.")
    damaged = json.loads(exported)
    damaged["games"].append(damaged["games"][0] | {"seat": 5})
    for content, sentence in (
        (b"\xff not JSON", "This file has no games in it"),
        (b'{"kind": "other"}', "isn't one of games"),
        (json.dumps(damaged).encode(), "Game 2 in this file is damaged."),
    ):
        await take_in(page, "wrong.json", content)
        await expect(told).to_contain_text(sentence)
    await expect(page.get_by_test_id("device-count")).to_have_text("0 games are kept on this device.")
    await take_in(page, "games.json", exported)
    await expect(told).to_have_text("1 game taken in.")
    await take_in(page, "games.json", exported)
    await expect(told).to_have_text("0 games taken in. 1 game was here already.")
    await expect(page.get_by_test_id("device-row")).to_have_count(1)
    # The file has no replay: the first time the server is asked for it.
    await page.get_by_test_id("device-row").get_by_role("link").click()
    await page.route("**/api/games/**", lambda route: route.abort())
    await page.get_by_test_id("replay-open").click()
    await expect(page.get_by_test_id("replay-told")).to_contain_text("The replay can't be shown now.")
    await page.unroute("**/api/games/**")
    await page.get_by_test_id("replay-open").click()
    await expect(page.get_by_test_id("replay-position")).to_have_text("Turn 0 of 8")
    await page.route("**/api/games/**", lambda route: route.abort())
    await page.reload()
    await page.get_by_test_id("replay-open").click()
    await expect(page.get_by_test_id("replay-position")).to_have_text("Turn 0 of 8")


async def test_a_game_that_ends_while_its_player_is_away_is_stored_when_he_looks(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as other:
        code, _ = await make_short_table(page, base_url)
        async with sit_opposite(base_url, code) as medo:
            await start_game(page)
            await page.get_by_test_id("more").click()
            await page.get_by_test_id("keep").check()
            await expect(page.locator("#spoken")).to_contain_text("This game is kept on your device")
            await page.goto("/rules")
            async with TableClient.connect(base_url, code, await cookie_of(page.context)) as lija:
                await play_to_the_end([lija, medo])
            game = medo.state["result"]["game"]
            await medo.must(type="rematch", game=game)
        await page.goto(f"/rooms/{code}")
        await expect(page.get_by_test_id("ready")).to_be_visible()
        await expect(page.get_by_test_id("keep")).not_to_be_checked()
        await page.goto("/leaderboards?where=device")
        await expect(page.get_by_test_id("device-row")).to_have_count(1)
        # On another device of his the game's own page stores it.
        session = await page.context.cookies()
        await other.context.add_cookies(
            [{"name": one["name"], "value": one["value"], "url": base_url} for one in session]
        )
        await other.goto(f"/games/{game}")
        await expect(other.get_by_test_id("kept-note")).to_have_attribute("data-stage", "stored")
        await other.goto("/leaderboards?where=device")
        await expect(other.get_by_test_id("device-row")).to_have_count(1)


async def test_where_nothing_can_be_stored_the_game_is_not_kept_and_the_page_says_why(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await page.add_init_script("IDBFactory.prototype.open = () => { throw new Error('private'); }")
        await make_table(page, "classic-5x4")
        await page.get_by_test_id("keep").click()
        await expect(page.get_by_text("This browser stores nothing for this page").first).to_be_visible()
        await expect(page.get_by_test_id("keep")).not_to_be_checked()
        await page.goto("/leaderboards?where=device")
        await expect(page.get_by_test_id("device-scores")).to_contain_text("This browser stores nothing")
