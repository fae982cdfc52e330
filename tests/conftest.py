"""What every test may ask for: real servers, a real browser, and a run without accidents.

Nothing but this computer can be reached, warnings are errors, and in CI a skipped test is a failed one.
"""

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from types import FrameType

import pytest
import structlog
from hypothesis import settings
from playwright.async_api import Browser, async_playwright, expect
from redis import Redis
from xdist.remote import Producer

from devtools.programs import find_chromium
from tests.command_line import Ended, RunCli, run_here
from tests.ending import add_end_option, close_in_time, prepare_the_end, stop_watching_a_worker, watch_the_end
from tests.left_out import SKIPPED_IN_CI, reason_of, tell_what_was_left_out
from tests.network import forbid_the_network
from tests.patience import PATIENCE_SECONDS
from tests.postgres import Databases, PostgresServer
from tests.quick import add_quick_option, leave_out_what_is_slow
from tests.redis_cluster import RedisCluster, running_cluster
from tests.servers import AppServer, RedisServer
from tests.sharing_out import SharingOut

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PAGE_MILLISECONDS = PATIENCE_SECONDS * 1000
StartApp = Callable[..., AppServer]


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a run can be told beside pytest's own options."""
    add_end_option(parser)
    add_quick_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Set what holds for the whole run, in each of its workers."""
    forbid_the_network()
    prepare_the_end(config)
    # A page on a busy computer is slow, not wrong; one that is right is never waited for so long.
    expect.set_options(timeout=_PAGE_MILLISECONDS)
    # The many programs that tests start would each compile everything anew, for seconds.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    settings.register_profile("yamb", deadline=None, derandomize=_is_ci(), print_blob=True)
    settings.load_profile("yamb")
    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, _end_like_ctrl_c)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Started in the background by a shell: nothing would end the run and its servers in order.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line says what the run left out."""
    stop_watching_a_worker(config)
    tell_what_was_left_out(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Which of the tests are run."""
    leave_out_what_is_slow(config, items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SharingOut:
    """Who runs which test, where there are several workers."""
    return SharingOut(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI everything is there, so a test that skips itself hides a defect."""
    report = yield
    if _is_ci() and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{SKIPPED_IN_CI}{reason_of(report)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole module that skips itself."""
    report = yield
    if _is_ci() and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{SKIPPED_IN_CI}{reason_of(report)}"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """With the last test ends what all tests have shared."""
    if nextitem is None:
        watch_the_end(item.config)


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Logging as it was before, for the tests after this one."""
    loggers = [logging.getLogger(name) for name in ("", "app", "alembic")]
    handlers, levels = loggers[0].handlers[:], [logger.level for logger in loggers]
    yield
    loggers[0].handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def run_cli(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> RunCli:
    """Call the command line in this process: `run_cli("migrate", "--check")` is an Ended."""
    request.getfixturevalue("restored_logging")

    def run(*arguments: str) -> Ended:
        return run_here(capsys, *arguments)

    return run


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Databases]:
    """One PostgreSQL for the run; `.url(database)` is the SQLAlchemy URL of a database in it."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield Databases(given)
        return
    with PostgresServer() as server:
        yield server.databases


@pytest.fixture
def postgres_url(postgres_server: Databases) -> Iterator[str]:
    """The SQLAlchemy URL of an empty database of this test's own."""
    with postgres_server.fresh() as url:
        yield url


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """One Redis for the run, which a test may stop, kill and start again."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty Redis, started again if a test left it dead; TEST_REDIS_URL names another."""
    url = os.environ.get("TEST_REDIS_URL") or _url_of(request.getfixturevalue("redis_server"))
    with Redis.from_url(url) as client:
        client.flushdb()
    return url


@pytest.fixture(scope="session")
def redis_cluster_server() -> Iterator[RedisCluster]:
    """One cluster of three Redis for the run."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def redis_cluster(redis_cluster_server: RedisCluster) -> RedisCluster:
    """A cluster without rooms."""
    redis_cluster_server.flush()
    return redis_cluster_server


@pytest.fixture
def start_app() -> Iterator[StartApp]:
    """Start the application: `start_app({"YAMB_REDIS_URL": ...})` is a running AppServer."""
    with ExitStack() as started:

        def start(env: Mapping[str, str] | None = None, *, port: int | None = None) -> AppServer:
            return started.enter_context(AppServer(env, port=port))

        yield start


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for the run; each test makes contexts of its own and closes them."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium or Chrome on this computer: install one or set CHROMIUM")
    playwright = await async_playwright().start()
    try:
        chromium = await playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        yield chromium
        await close_in_time("Chromium", chromium.close())
    finally:
        await close_in_time("Playwright", playwright.stop())


def _url_of(server: RedisServer) -> str:
    if not server.is_running:
        server.start()
    return server.url


def _is_ci() -> bool:
    return bool(os.environ.get("CI"))


def _end_like_ctrl_c(_number: int, _frame: FrameType | None) -> None:
    """A run that is told to end still ends its servers."""
    os.kill(os.getpid(), signal.SIGINT)
