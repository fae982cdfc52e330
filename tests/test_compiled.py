"""The compiled application (`dev.py compile`) is the same game: by the rules' own tests, and by sockets."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from app.serving import is_compiled
from devtools.compiling import COMPILED, CannotCompile, compile_app, compiled_modules, what_is_missing
from tests.compiled_app import TREE
from tests.conftest import StartApp
from tests.e2e.whole_game import play_and_check
from tests.servers import ROOT

pytestmark = pytest.mark.timeout(2400)  # the first test waits for the compiler

# What runs through the compiled modules: the rules, the room's decisions, what is shown and stored of them;
# both stores, commands that are cancelled, sockets that die or don't read, and every refusal of wrong input.
SAME_TESTS = (
    "tests/test_by_identity.py",
    "tests/test_sockets.py",
    "tests/contract/test_local_store.py",
    "tests/contract/test_redis_store.py",
    "tests/contract/test_room_store.py",
    "tests/rules/test_announcing.py",
    "tests/rules/test_columns.py",
    "tests/rules/test_fairness.py",
    "tests/rules/test_legality.py",
    "tests/rules/test_notification.py",
    "tests/rules/test_reasons.py",
    "tests/rules/test_sheet.py",
    "tests/rules/test_turn.py",
    "tests/rules/test_undo.py",
    "tests/rooms/test_backlog.py",
    "tests/rooms/test_budgets.py",
    "tests/rooms/test_cancelling.py",
    "tests/rooms/test_codec.py",
    "tests/rooms/test_hub.py",
    "tests/rooms/test_legal_part.py",
    "tests/rooms/test_meters.py",
    "tests/rooms/test_outbox.py",
    "tests/rooms/test_phases.py",
    "tests/rooms/test_refusals.py",
    "tests/rooms/test_room.py",
    "tests/rooms/test_service.py",
    "tests/rooms/test_sockets.py",
    "tests/rooms/test_turns.py",
    "tests/rooms/test_views.py",
)


@pytest.fixture(scope="session")
def compiled() -> Path:
    """The compiled copy of what is here now; made only when it isn't there yet."""
    if missing := what_is_missing():
        pytest.skip(missing)  # which in CI is a failure
    compile_app()
    return COMPILED


def test_the_rules_and_rooms_tests_hold_of_the_compiled_modules(compiled: Path) -> None:
    paths = os.pathsep.join(map(str, (compiled, ROOT)))
    # Neither pytest nor Python may put the sources before the compiled tree.
    command = [sys.executable, "-P", "-m", "pytest", "--import-mode=append", "-o", "pythonpath="]
    ran = subprocess.run(
        [*command, "-q", "-p", "tests.compiled_app", *SAME_TESTS],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths, TREE: str(compiled)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) >= len(SAME_TESTS)


@pytest.mark.parametrize("name", compiled_modules())
def test_nothing_is_waited_for_in_a_handler(name: str) -> None:
    """Compiled, a coroutine that waits there leaves its exception behind for others to handle (ADR 9)."""
    handlers = [node for node in ast.walk(ast.parse((ROOT / name).read_text())) if isinstance(node, ast.Try)]
    waits = [
        f"{name}:{node.lineno}"
        for handler in handlers
        for statement in (*handler.finalbody, *(one for each in handler.handlers for one in each.body))
        for node in ast.walk(statement)
        if isinstance(node, ast.Await | ast.AsyncWith | ast.AsyncFor | ast.Yield | ast.YieldFrom)
    ]
    assert waits == []


async def test_a_whole_game_on_the_compiled_server_is_as_it_is_counted_again(
    compiled: Path, start_app: StartApp
) -> None:
    app = start_app({"PYTHONPATH": str(compiled)})

    assert f"Yamb is served, compiled: open {app.base_url}" in app.output
    await play_and_check([app])
    app.stop()
    assert "Traceback" not in app.output


async def test_a_whole_game_over_redis_on_the_compiled_server_is_as_it_is_counted_again(
    compiled: Path, start_app: StartApp, redis_url: str
) -> None:
    with Redis.from_url(redis_url) as redis:
        redis.script_flush()  # so that scripts are refused at first, and sent
    app = start_app({"PYTHONPATH": str(compiled), "YAMB_REDIS_URL": redis_url})

    await play_and_check([app])
    app.stop()
    assert "Traceback" not in app.output


def test_what_is_compiled_is_not_compiled_again_and_the_sources_stay_sources(compiled: Path) -> None:
    made = {path: path.stat().st_mtime_ns for path in compiled.rglob("*.so")}
    assert len(made) == len(compiled_modules()) + 1
    assert compile_app() is False
    assert {path: path.stat().st_mtime_ns for path in compiled.rglob("*.so")} == made
    assert not is_compiled()
    assert list((ROOT / "app").rglob("*.so")) == []


@pytest.fixture
def checkout(compiled: Path, tmp_path: Path) -> Path:
    """A copy of what compiling needs of the project, with what has been compiled."""
    for name in ("app", "migrations", "devtools", compiled.relative_to(ROOT)):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("alembic.ini", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def compile_in(checkout: Path) -> subprocess.CompletedProcess[str]:
    """`dev.py compile` of that copy."""
    command = [sys.executable, "-P", "-m", "devtools.compiling"]
    env = os.environ | {"PYTHONPATH": str(checkout)}
    return subprocess.run(command, cwd=checkout, env=env, capture_output=True, text=True)


def test_a_page_that_changed_is_copied_and_nothing_compiled(checkout: Path) -> None:
    page = Path("app", "web", "index.html")
    (checkout / page).write_text("another")
    tree = checkout / COMPILED.relative_to(ROOT)
    libraries = sorted(tree.rglob("*.so"))

    ran = compile_in(checkout)

    assert (ran.returncode, ran.stdout) == (0, f"Nothing to compile again: {tree}\n")
    assert (tree / page).read_text() == "another"
    assert sorted(tree.rglob("*.so")) == libraries
    assert [path.name for path in tree.parent.iterdir() if path.is_dir()] == [tree.name]


def test_a_module_that_can_not_be_compiled_is_named_and_the_copy_stays_as_it_was(checkout: Path) -> None:
    broken = checkout / "app" / "rules" / "sheet.py"
    broken.write_text("def total(\n")
    tree = checkout / COMPILED.relative_to(ROOT)
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}

    ran = compile_in(checkout)

    assert ran.returncode == 1
    assert "\napp/rules/sheet.py:2: error: Unexpected EOF" in ran.stderr
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before


def test_a_folder_with_something_else_in_it_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear Medo")

    with pytest.raises(CannotCompile, match="holds something else"):
        compile_app(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_without_a_compiler_that_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "compiled"
    ran = subprocess.run(
        [sys.executable, "-m", "devtools.compiling", str(folder)],
        cwd=ROOT,
        env=os.environ | {"CC": str(tmp_path / "no-compiler")},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("Cannot compile: there is no C compiler")
    assert list(tmp_path.iterdir()) == []
