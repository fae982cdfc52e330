"""Records of finished games as plain values."""

from app.rules.game import standings
from app.rules.plain.events import event_from_plain, event_to_plain
from app.rules.plain.games import sheets_to_plain, standings_to_plain
from app.rules.plain.reading import NotPlain, Plain, choice, flag, nested, nested_list, number, text, texts
from app.rules.plain.variants import variant_from_plain, variant_to_plain
from app.rules.record import Record, RecordSeat
from app.rules.state import Undoing


def record_to_plain(record: Record) -> Plain:
    """A record as `GET /api/games/{id}` serves it and `yamb verify` reads it."""
    final = record.final
    return {
        "id": record.game_id,
        "variant": variant_to_plain(record.variant),
        "seats": [_seat_to_plain(seat, who) for seat, who in enumerate(record.seats)],
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "reason": record.reason,
        "undo": record.undo.value,
        "standings": standings_to_plain(standings(final)),
        "sheets": sheets_to_plain(final),
        "log": [event_to_plain(event) for event in record.log],
        "proof": {
            "game": record.game_id,
            "commitment": record.commitment,
            "secret": record.secret.hex(),
            "texts": [who.text for who in record.seats],
        },
    }


def _seat_to_plain(number: int, who: RecordSeat) -> Plain:
    """`kept` is there only where it is true: most records are as they were before there was one."""
    plain: Plain = {"seat": number, "player": who.player, "name": who.name, "ended": who.ended}
    return plain | {"kept": True} if who.kept else plain


def record_from_plain(plain: Plain) -> Record:
    """The record that is shown so. What follows from the log (sheets, standings) is not read."""
    proof = nested(plain, "proof")
    return Record(
        game_id=text(plain, "id"),
        variant=variant_from_plain(nested(plain, "variant")),
        seats=_seats_from_plain(nested_list(plain, "seats"), texts(proof, "texts")),
        log=tuple(event_from_plain(event) for event in nested_list(plain, "log")),
        secret=_secret_from_plain(proof),
        commitment=text(proof, "commitment"),
        started_at=number(plain, "started_at"),
        ended_at=number(plain, "ended_at"),
        reason=text(plain, "reason"),
        # A record made before there was an undo doesn't say so.
        undo=choice(plain, "undo", Undoing) if "undo" in plain else Undoing.OFF,
    )


def _seats_from_plain(seats: list[Plain], seat_texts: list[str]) -> tuple[RecordSeat, ...]:
    if len(seats) != len(seat_texts):
        raise NotPlain("texts: one for each seat is expected")
    return tuple(
        RecordSeat(
            text(seat, "player"),
            text(seat, "name"),
            seat_text,
            text(seat, "ended"),
            flag(seat, "kept") if "kept" in seat else False,
        )
        for seat, seat_text in zip(seats, seat_texts, strict=True)
    )


def _secret_from_plain(proof: Plain) -> bytes:
    try:
        return bytes.fromhex(text(proof, "secret"))
    except ValueError as error:
        raise NotPlain("secret: hexadecimal digits are expected") from error
