"""Records of finished games as plain values."""

from app.rules.plain.events import event_from_plain, event_to_plain
from app.rules.plain.games import sheets_to_plain, standings_to_plain
from app.rules.plain.reading import (
    NotPlain,
    Plain,
    as_object,
    nested,
    nested_list,
    number,
    readable,
    text,
    texts,
)
from app.rules.plain.variants import variant_from_plain, variant_to_plain
from app.rules.record import Record, RecordSeat, WrongRecord, verify


def record_to_plain(record: Record) -> Plain:
    """A record as `GET /api/games/{id}` serves it and `yamb verify` reads it."""
    final = record.final
    return {
        "id": record.game_id,
        "variant": variant_to_plain(record.variant),
        "seats": [
            {"seat": seat, "player": who.player, "name": who.name, "ended": who.ended}
            for seat, who in enumerate(record.seats)
        ],
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "reason": record.reason,
        "standings": standings_to_plain(final),
        "sheets": sheets_to_plain(final),
        "log": [event_to_plain(event) for event in record.log],
        "proof": {
            "game": record.game_id,
            "commitment": record.commitment,
            "secret": record.secret.hex(),
            "texts": [who.text for who in record.seats],
        },
    }


def record_from_plain(plain: Plain) -> Record:
    """The record that is shown so. What follows from the log (sheets, standings) is not read.

    `verify_plain` compares that.
    """
    proof = nested(plain, "proof")
    return Record(
        game_id=text(plain, "id"),
        variant=variant_from_plain(nested(plain, "variant")),
        seats=_seats_from_plain(nested_list(plain, "seats"), texts(proof, "texts")),
        log=tuple(event_from_plain(event) for event in nested_list(plain, "log")),
        secret=bytes.fromhex(text(proof, "secret")),
        commitment=text(proof, "commitment"),
        started_at=number(plain, "started_at"),
        ended_at=number(plain, "ended_at"),
        reason=text(plain, "reason"),
    )


def verify_plain(plain: object) -> Record:
    """The record in a document, once its log and dice were verified and the rest found to follow from them.

    Raises NotPlain for what is no record, WrongRecord for a dishonest one.
    """
    record = readable(record_from_plain, plain, "record")
    verify(record)
    for name, value in record_to_plain(record).items():
        if as_object(plain, "record").get(name) != value:
            raise WrongRecord(f"{name}: not what follows from the log")
    return record


def _seats_from_plain(seats: list[Plain], seat_texts: list[str]) -> tuple[RecordSeat, ...]:
    if len(seats) != len(seat_texts):
        raise NotPlain("texts: one for each seat is expected")
    return tuple(
        RecordSeat(text(seat, "player"), text(seat, "name"), seat_text, text(seat, "ended"))
        for seat, seat_text in zip(seats, seat_texts, strict=True)
    )
