"""What is pressed between an update and the answer of the command before: nothing of it is swallowed."""

import asyncio
import json

from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.browser.players import PHONE, open_page, start_solo


class HeldAnswers:
    """Keeps every `ok` of the server from the page until `release`; all else passes at once."""

    def __init__(self) -> None:
        self.kept: list[tuple[WebSocketRoute, str]] = []
        self.acts = 0
        self.is_holding = False
        self.is_kept = asyncio.Event()

    def route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: self._pass(socket, str(text)))
        socket.on_message(lambda text: self._count(server, str(text)))

    def _count(self, server: WebSocketRoute, text: str) -> None:
        self.acts += json.loads(text)["type"] == "act"
        server.send(text)

    def _pass(self, socket: WebSocketRoute, text: str) -> None:
        if self.is_holding and json.loads(text)["type"] == "ok":
            self.kept.append((socket, text))
            self.is_kept.set()
        else:
            socket.send(text)

    def hold(self) -> None:
        self.is_holding = True

    async def release(self) -> None:
        await self.is_kept.wait()
        self.is_holding = False
        for socket, text in self.kept:
            socket.send(text)
        self.kept.clear()


async def test_the_dock_takes_a_press_before_the_last_answer_is_there(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url, PHONE) as page:
        answers = await _start_solo(page)
        answers.hold()
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await page.get_by_test_id("roll").click()
        await answers.release()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 3")


async def test_a_cell_is_written_before_the_last_answer_is_there(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, PHONE) as page:
        answers = await _start_solo(page)
        answers.hold()
        await page.get_by_test_id("roll").click()
        await page.locator("button[data-cell='free/chance'], button[data-cell='free/max']").first.click()
        await page.get_by_test_id("write").click()
        await answers.release()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")
        await expect(page.get_by_test_id("write")).to_be_hidden()


async def test_a_double_press_is_one_roll(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, PHONE) as page:
        answers = await _start_solo(page)
        answers.hold()
        await page.get_by_test_id("roll").dblclick()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await answers.release()
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 3")
        assert answers.acts == 2


async def _start_solo(page: Page) -> HeldAnswers:
    answers = HeldAnswers()
    await page.route_web_socket("**/ws/rooms/*", answers.route)
    await start_solo(page)
    return answers
