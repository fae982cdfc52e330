"""`yamb serve | migrate | recount | backup | verify | replay | export-games | delete-player`.

Thin verbs over what exists.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path

from app.accounts.finding import find_player
from app.backup import back_up
from app.config import WrongSettings, load_settings
from app.db import Database, DatabaseRefuses, DatabaseUnavailable, file_of
from app.observability import configure_logging
from app.schema import drift_of, head, migrate, revision_of
from app.scores.board_variants import board_named
from app.scores.checking import check_file
from app.scores.exporting import export_games, instant_of_day, written_to
from app.scores.noted import noted_from
from app.scores.own_games import make_delete_player
from app.scores.recounting import recount
from app.scores.replaying import line_of_file, replay_file
from app.scores.repository import Wanted
from app.serving import CannotServe, make_folder, missing_database, require_schema, serve
from app.variants.finding import make_find_variant

OK = 0
WRONG = 1
CANNOT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the verb of the command line; the exit status."""
    _let_any_name_be_printed()
    arguments = _make_parser().parse_args(argv)
    try:
        return int(arguments.verb(arguments))
    except BrokenPipeError:
        return _stop_writing()
    except (WrongSettings, CannotServe) as error:
        print(f"yamb: {error}", file=sys.stderr)
        return CANNOT
    except DatabaseRefuses as error:
        print(f"yamb: the database refuses that: {error}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return OK


def _let_any_name_be_printed() -> None:
    """What a terminal, or the file behind it, has no character for is written as \\u041b."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="yamb", description="The dice game Yamb, played in browsers.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    _add_verb(verbs, "serve", _serve, example="YAMB_HOST=0.0.0.0 yamb serve", text="Serve the game.")
    migrate_verb = _add_verb(
        verbs,
        "migrate",
        _migrate,
        example="YAMB_DATABASE_URL=postgresql+asyncpg://yamb@localhost/yamb yamb migrate",
        text="Bring the database's schema to what this program needs.",
    )
    migrate_verb.add_argument(
        "--check",
        action="store_true",
        help="change nothing: exit 1 when the schema is not what the code describes",
    )
    _add_verb(
        verbs,
        "recount",
        _recount,
        example="yamb recount",
        text="Count players' statistics anew where games are missing in them, as after an upgrade.",
    )
    backup_verb = _add_verb(
        verbs,
        "backup",
        _backup,
        example="yamb backup /srv/backup/yamb",
        text="Copy the files of the data folder to another one, also while a server runs.",
    )
    backup_verb.add_argument("folder", type=Path, metavar="FOLDER", help="made where there is none")
    verify_verb = _add_verb(
        verbs,
        "verify",
        _verify,
        example="curl -s http://127.0.0.1:8000/api/games/g7d1 >game.json && yamb verify game.json",
        text="Replay a finished game from its record, and recompute every roll of its dice.",
    )
    verify_verb.add_argument(
        "file", type=Path, metavar="FILE", help="records: one, a list, JSON Lines, or a player's export"
    )
    verify_verb.add_argument(
        "--commitment", metavar="HEX", help="the commitment as you noted it before the start"
    )
    verify_verb.add_argument(
        "--text",
        action="append",
        default=[],
        metavar="SEAT=TEXT",
        help="a seat's text as you noted it, seats from 0; once for each",
    )
    replay_verb = _add_verb(
        verbs,
        "replay",
        _replay,
        example="curl -s http://127.0.0.1:8000/api/games/g7d1 >game.json && yamb replay game.json",
        text="Tell a game turn by turn, with the sheets at the end.",
    )
    replay_verb.add_argument(
        "file", type=Path, metavar="FILE", help="a record, or a game's line as docs/notation.md has it"
    )
    replay_verb.add_argument(
        "--line", action="store_true", help="print the game's line instead, as a bug report wants it"
    )
    export_verb = _add_verb(
        verbs,
        "export-games",
        _export_games,
        example="yamb export-games --variant papir --since 2026-11-01 --out games.jsonl",
        text="Write the records of finished games as JSON Lines, each line as yamb verify takes it.",
    )
    export_verb.add_argument("--variant", metavar="V", help="only games of this variant, by its id")
    export_verb.add_argument(
        "--since", metavar="DAY", help="only games that ended on this day (UTC) or later"
    )
    export_verb.add_argument("--out", type=Path, metavar="FILE", help="write to this file, not to the output")
    delete_verb = _add_verb(
        verbs,
        "delete-player",
        _delete_player,
        example="yamb delete-player p3vqk7xm2a",
        text="Delete a player for good: name, account and sessions. The games stay, by a deleted player.",
    )
    delete_verb.add_argument("player", metavar="PLAYER|USER_NAME", help="the player's id, or his user name")
    return parser


def _add_verb(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    *,
    example: str,
    text: str,
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=text, description=text, epilog=f"example: {example}")
    verb.set_defaults(verb=run)
    return verb


def _serve(_arguments: argparse.Namespace) -> int:
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    serve(settings, lambda line: print(line, flush=True))
    return OK


def _migrate(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    if settings.is_embedded:
        make_folder(settings)
    database = Database(settings.database_url)
    try:
        return asyncio.run(_check_schema(database) if arguments.check else _migrate_schema(database))
    except DatabaseUnavailable as error:
        raise CannotServe(missing_database(settings, error)) from error


async def _migrate_schema(database: Database) -> int:
    try:
        _tell(f"the schema is at {await migrate(database)}")
    finally:
        await database.dispose()
    return OK


async def _check_schema(database: Database) -> int:
    try:
        there = await revision_of(database)
        drift = await drift_of(database)
    finally:
        await database.dispose()
    if there != head():
        _tell(f"the schema is at {there}, this program needs {head()}: run `yamb migrate`")
        return WRONG
    for line in drift:
        _tell(line)
    return WRONG if drift else OK


def _recount(_arguments: argparse.Namespace) -> int:
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    database = Database(settings.database_url)
    try:
        players = asyncio.run(_recount_in(database))
    except DatabaseUnavailable as error:
        raise CannotServe(missing_database(settings, error)) from error
    _tell(f"{players} players counted anew")
    return OK


async def _recount_in(database: Database) -> int:
    try:
        await require_schema(database)
        return await recount(database)
    finally:
        await database.dispose()


def _backup(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    # The database first: a game that is in both is recorded once.
    database = file_of(settings.database_url)
    rooms = None if settings.redis_url else settings.data_dir / "rooms.db"
    try:
        copies = back_up([Path(file) for file in (database, rooms) if file is not None], arguments.folder)
    except (OSError, sqlite3.Error) as error:
        raise CannotServe(f"the backup in {arguments.folder} can't be made: {error}") from error
    if not copies:
        raise CannotServe("there is nothing to back up here: see docs/operating.md for Redis and PostgreSQL")
    _tell("\n".join(f"backed up: {copy}" for copy in copies))
    return OK


def _verify(arguments: argparse.Namespace) -> int:
    def check() -> str:
        texts = [_text(text) for text in arguments.text]
        return check_file(arguments.file, noted_from(arguments.commitment, texts))

    return _print_what(check)


def _replay(arguments: argparse.Namespace) -> int:
    read = line_of_file if arguments.line else replay_file
    return _print_what(lambda: read(arguments.file))


def _export_games(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    database = Database(settings.database_url)
    try:
        games = asyncio.run(_export(database, _wanted(arguments), arguments.out))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _cannot_write(error) from error
    except ValueError as error:
        raise CannotServe(str(error)) from error
    except DatabaseUnavailable as error:
        raise CannotServe(missing_database(settings, error)) from error
    if arguments.out:
        _tell(f"{games} games written to {arguments.out}")
    return OK


def _wanted(arguments: argparse.Namespace) -> Wanted:
    variant = None if arguments.variant is None else _text(arguments.variant)
    since = None if arguments.since is None else instant_of_day(arguments.since)
    return Wanted(variant, since)


async def _export(database: Database, wanted: Wanted, out: Path | None) -> int:
    try:
        await require_schema(database)
        if wanted.variant is not None:
            wanted = replace(wanted, variant=await _board_id(database, wanted.variant))
        with written_to(out) as write:
            return await export_games(database, wanted, write)
    finally:
        await database.dispose()


async def _board_id(database: Database, variant: str) -> str:
    board = await board_named(database, make_find_variant(database), variant)
    if board is None:
        raise ValueError(
            f"there is no variant {variant!r:.80}: --variant takes an id, such as papir, or a code"
        )
    return board.id


def _delete_player(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    try:
        return asyncio.run(_delete_from(Database(settings.database_url), _text(arguments.player)))
    except DatabaseUnavailable as error:
        raise CannotServe(missing_database(settings, error)) from error
    except ValueError as error:
        print(f"yamb: {error}", file=sys.stderr)
        return WRONG


async def _delete_from(database: Database, named: str) -> int:
    try:
        await require_schema(database)
        player = await find_player(database, named)
        await make_delete_player(database)(player)
    finally:
        await database.dispose()
    _tell(f"{player} is deleted: the name is gone, the games stay")
    return OK


def _print_what(read: Callable[[], str]) -> int:
    """Print what is read, or the line that says what is wrong with it."""
    try:
        text, status = read(), OK
    except ValueError as error:
        text, status = f"wrong: {error}", WRONG
    _tell(text)
    return status


def _text(argument: str) -> str:
    """Bytes that are no text may be the name of a file, and of nothing else. Raises ValueError."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{argument!r:.80} is no text") from None
    return argument


def _tell(text: str) -> None:
    """Print. Raises CannotServe, BrokenPipeError."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _cannot_write(error) from error


def _cannot_write(error: OSError) -> CannotServe:
    _stop_writing()
    return CannotServe(f"the output can't be written: {error.strerror or error}")


def _stop_writing() -> int:
    """Who reads has read enough, as `head` does; nothing more is to be written when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK


if __name__ == "__main__":
    sys.exit(main())
