"""Reload, second tab, lost connection: the same seat, the same state, and a banner only while it is true."""

from pathlib import Path

from playwright.async_api import Browser, Route, expect

from tests.browser.players import open_page, start_solo
from tests.conftest import StartApp

WEB = Path(__file__).parents[2] / "app" / "web"


async def test_a_reload_finds_the_same_turn(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        face = await page.get_by_test_id("die-0").get_attribute("data-face") or ""
        await page.reload()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", face)
        await expect(page.get_by_test_id("roll")).to_be_enabled()


async def test_a_second_tab_plays_the_same_seat(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        second = await page.context.new_page()
        await second.goto(page.url)
        await second.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await page.get_by_test_id("roll").click()
        await expect(second.get_by_test_id("roll")).to_contain_text("Roll 3")


async def test_a_killed_server_shows_the_banner_until_the_table_is_back(
    start_app: StartApp, browser: Browser
) -> None:
    app = start_app()
    async with open_page(browser, app.base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        face = await page.get_by_test_id("die-0").get_attribute("data-face") or ""
        app.kill()
        await expect(page.get_by_test_id("connection")).to_contain_text("Connection lost")
        await expect(page.get_by_test_id("roll")).to_be_disabled()
        app.start()
        await expect(page.get_by_test_id("connection")).to_be_empty()
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", face)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 3")


async def test_the_first_page_leads_back_to_the_open_room(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        room = page.url
        await page.goto("/")
        await page.get_by_test_id("continue").click()
        await expect(page).to_have_url(room)
        await expect(page.get_by_test_id("roll")).to_be_enabled()


async def test_a_room_that_is_not_there_says_so(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/rooms/NOSUCH")
        await expect(page.get_by_role("main")).to_contain_text("There is no room NOSUCH.")
        await page.goto("/")
        await page.get_by_test_id("join-code").fill("NOSUCH")
        await page.get_by_test_id("join-go").click()
        await expect(page.get_by_role("alert").filter(has_text="There is no room NOSUCH.")).to_have_count(1)


async def test_a_visitor_without_a_seat_watches(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as visitor:
        await start_solo(page)
        await visitor.goto(page.url)
        await visitor.get_by_test_id("watch").click()
        await page.get_by_test_id("roll").click()
        await expect(visitor.get_by_test_id("status")).to_contain_text("you are watching")
        await expect(visitor.get_by_test_id("die-0")).not_to_have_attribute("data-face", "0")
        await expect(visitor.get_by_test_id("roll")).to_be_disabled()
        await expect(visitor.locator("button[data-cell]")).to_have_count(0)


async def test_a_page_of_another_protocol_asks_to_be_loaded_again(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)

        script = (WEB / "js" / "protocol.js").read_text()
        assert "PROTOCOL = 2;" in script
        older = script.replace("PROTOCOL = 2;", "PROTOCOL = 1;")

        async def of_before(route: Route) -> None:
            await route.fulfill(body=older, content_type="text/javascript")

        await page.route("**/protocol.js*", of_before)
        await page.reload()
        told = "This page is older than the server. Load it again."
        await expect(page.get_by_role("main")).to_contain_text(told)
        await expect(page.get_by_role("alert").filter(has_text=told)).to_have_count(1)
        await page.unroute("**/protocol.js*")
        await page.get_by_test_id("reload").click()
        await expect(page.get_by_test_id("roll")).to_be_enabled()


# A socket that opens at an address without one gets what a proxy answers that upgrades nothing: plain HTTP.
_NO_UPGRADE = """
window.WebSocket = class extends WebSocket {
  constructor() { super(`ws://${location.host}/healthz`); }
};
"""


async def test_a_proxy_that_upgrades_no_sockets_is_named(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.add_init_script(_NO_UPGRADE)
        await page.reload()
        told = "This network or proxy doesn't let game connections through"
        await expect(page.get_by_test_id("connection")).to_contain_text(told)
