"""Proves from the evidence of a room that nothing went wrong, or names what did. Pure.

No acknowledged action is lost and none done twice; no viewer's versions have a gap; every finished game is
recorded once and is the replay of its log; nothing that tells its dice is in a frame before the game has
ended, and nothing ever in a log of the servers.
"""

import json
from collections.abc import Callable, Iterator, Sequence

from app.rules.plain import record_from_plain
from app.rules.record import verify
from app.rules.sheet import total
from tests.faults.deeds import can_have_made, is_of_the_server
from tests.faults.evidence import Evidence, Sent
from tests.faults.retelling import Retelling, retell
from tests.faults.telling import Proof, Search
from tests.faults.view import Message

_LINE_CHARACTERS = 200

Check = Callable[[Evidence, Retelling], Iterator[str]]


def find_faults(evidence: Evidence) -> list[str]:
    """What is wrong, one sentence each; empty when all is proved."""
    told = retell(evidence)
    found = [*told.faults, *(fault for check in _CHECKS for fault in check(evidence, told))]
    return [f"room {evidence.code}: {fault}" for fault in dict.fromkeys(found)]


def find_told(rooms: Sequence[Evidence], output: str) -> list[str]:
    """Lines that servers logged and that tell the dice of a game."""
    proofs = {game: proof for evidence in rooms for game, proof in _proofs(evidence).items()}
    search = Search(proofs, {})
    return [
        f"a line of a server's log tells {what} of game {game}: {line[:_LINE_CHARACTERS]}"
        for line in output.splitlines()
        for game, what in sorted(search.bytes_told(line))
    ]


def _check_the_store_has_all(evidence: Evidence, told: Retelling) -> Iterator[str]:
    newest = max((*told.updates, *told.places), default=0)
    if evidence.held is None:
        yield "the store has lost it"
    elif evidence.held.version < newest:
        yield f"the store is at version {evidence.held.version}, {newest} had been seen"


def _check_everybody_arrived(_evidence: Evidence, told: Retelling) -> Iterator[str]:
    """But for what the server did by itself when they had gone."""
    of_players = (version for version, update, before in told.steps() if not is_of_the_server(update, before))
    last = max(of_players, default=0)
    for viewer, view in told.newest.items():
        if view.version < last:
            yield f"{viewer} never got beyond version {view.version} of {last}"


def _check_answers(evidence: Evidence, told: Retelling) -> Iterator[str]:
    """Each command has one outcome, and an acknowledged one is the step that it is said to be."""
    maker: dict[int, Sent] = {}
    for sent in evidence.sent:
        what = _named(sent)
        versions = {answer["version"] for answer in sent.answers if answer["type"] == "ok"}
        if len(versions) > 1:
            yield f"{what} was done twice, as versions {sorted(versions)}"
        for answer in sent.answers:
            if versions and answer["type"] == "refused" and not answer["retry"]:
                yield f"{what} was acknowledged, and refused as {answer['code']}"
        for version in versions:
            if maker.setdefault(version, sent) is not sent:
                yield f"{what} and {_named(maker[version])} are both said to be version {version}"
            yield from _check_acknowledged(evidence, told, sent, version)


def _check_acknowledged(evidence: Evidence, told: Retelling, sent: Sent, version: int) -> Iterator[str]:
    if evidence.held is not None and version > evidence.held.version:
        yield f"{_named(sent)} was acknowledged as version {version}, and is lost"
    step = told.step(version)
    if step is not None and not can_have_made(sent.player, sent.message, step, told.places.get(version - 1)):
        yield f"{_named(sent)} was acknowledged as version {version}, which is something else"


def _check_nothing_else_happened(evidence: Evidence, told: Retelling) -> Iterator[str]:
    """Every step was made by a command: one that says so, or one whose answer is not known."""
    claimed = {
        answer["version"] for sent in evidence.sent for answer in sent.answers if answer["type"] == "ok"
    }
    unknown = [sent for sent in evidence.sent if sent.is_unanswered]
    for version, update, before in told.steps():
        if version in claimed or is_of_the_server(update, before):
            continue
        makers = [sent for sent in unknown if can_have_made(sent.player, sent.message, update, before)]
        if makers:
            unknown.remove(makers[0])
            continue
        kinds = [event["type"] for event in update["events"]]
        yield f"version {version} ({', '.join(kinds)}) was made by no command that wasn't refused"


def _check_logs(evidence: Evidence, told: Retelling) -> Iterator[str]:
    """What the store and the books have of each game is what was seen of it."""
    seen = told.logs()
    for game, log in _kept_logs(evidence).items():
        missing = _first_not_in(seen.get(game, []), log)
        if missing is not None:
            yield f"game {game}: {json.dumps(missing)} was seen and is not in its log"
        if _is_whole(told) and len(log) > len(seen.get(game, [])):
            yield f"game {game}: its log has {len(log)} events, {len(seen.get(game, []))} were seen"


def _check_books(evidence: Evidence, told: Retelling) -> Iterator[str]:
    """Every finished game is recorded once, and its totals are those of its replay and of what was seen."""
    for game in told.ends():
        book = evidence.books.get(game)
        if book is None:
            if evidence.held is None or game not in evidence.held.waiting:
                yield f"game {game} has ended, is not recorded and doesn't wait to be"
            continue
        if book.games != 1 or book.results > len(book.record["seats"]):
            yield f"game {game} is recorded {book.games} times, with {book.results} results"
        yield from _check_record(game, book.record, told)


def _check_record(game: str, record: Message, told: Retelling) -> Iterator[str]:
    try:
        final = verify(record_from_plain(record))
    except (ValueError, KeyError, TypeError) as error:
        yield f"game {game}: its record can't be replayed: {error}"
        return
    replayed = {seat: total(final.layout, sheet) for seat, sheet in enumerate(final.sheets)}
    if _totals(record["standings"]) != replayed:
        yield f"game {game}: recorded {_totals(record['standings'])}, replayed {replayed}"
    for viewer, view in told.newest.items():
        result = view.state.get("result")
        if result and result["game"] == game and _totals(result["standings"]) != replayed:
            yield f"game {game}: {viewer} saw {_totals(result['standings'])}, replayed {replayed}"


def _check_secrets(evidence: Evidence, told: Retelling) -> Iterator[str]:
    """Nothing that tells the dice is in any frame before their game has ended."""
    ends = told.ends()
    search = Search(_proofs(evidence), told.rolls())
    for seen in evidence.seen:
        version = -1
        for text in seen.frames:
            version = _version_of(text, version)
            for game, what in sorted(search.told(text, version)):
                if game not in ends or version < ends[game]:
                    yield f"{seen.viewer} was shown {what} of game {game} at version {version}"


def _version_of(text: str, before: int) -> int:
    """The version that a viewer has after a frame."""
    message = json.loads(text)
    return int(message["version"]) if message["type"] in ("welcome", "update") else before


_CHECKS: tuple[Check, ...] = (
    _check_the_store_has_all,
    _check_everybody_arrived,
    _check_answers,
    _check_nothing_else_happened,
    _check_logs,
    _check_books,
    _check_secrets,
)


def _named(sent: Sent) -> str:
    message = sent.message
    kind = message["action"]["type"] if message["type"] == "act" else message["type"]
    return f"{kind} {message['request']} of {sent.player}"


def _kept_logs(evidence: Evidence) -> dict[str, list[Message]]:
    logs = {game: list(book.record["log"]) for game, book in evidence.books.items()}
    if evidence.held is not None:
        logs[evidence.held.game] = [json.loads(event) for event in evidence.held.log]
    return logs


def _proofs(evidence: Evidence) -> dict[str, Proof]:
    proofs = {game: _proof_of(book.record) for game, book in evidence.books.items()}
    if evidence.held is not None:
        proofs[evidence.held.game] = evidence.held.proof
    return proofs


def _proof_of(record: Message) -> Proof:
    proof = record["proof"]
    return Proof(bytes.fromhex(proof["secret"]), proof["texts"], record["variant"]["dice"])


def _is_whole(told: Retelling) -> bool:
    """Whether somebody saw every step."""
    return sorted(told.updates) == list(range(1, max(told.updates, default=0) + 1))


def _first_not_in(part: list[Message], whole: list[Message]) -> Message | None:
    """The first that isn't in the whole in its place, where `part` may lack some of it."""
    rest = iter(whole)
    return next((one for one in part if one not in rest), None)


def _totals(standings: list[Message]) -> dict[int, int]:
    return {row["seat"]: row["total"] for row in standings}
