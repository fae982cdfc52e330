"""When a player who is to move doesn't: what the others are offered, and what they choose. Pure."""

from msgspec.structs import replace

from app.rooms.commands import By, CallOut, Choice, Choose, Postpone
from app.rooms.events import BotChosen, CalledOut, Postponed, Waited
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Offer, OfferReason, Room
from app.rooms.schedule import is_bot_to_move, turn_ends_at
from app.rooms.seats import Step, present_seat


def call_out(room: Room, command: CallOut, by: By) -> Step:
    """Ask the others. Only about the person to move, once, and for a deadline only when it has passed."""
    game = room.game
    if game is None or is_bot_to_move(room) or (game.seat, game.turn) != (command.seat, command.turn):
        raise RoomRefusal(RefusalCode.NO_OFFER, "no person is to move there in that turn")
    if room.offer is not None:
        raise RoomRefusal(RefusalCode.NO_OFFER, "the others have been asked already")
    if command.reason is OfferReason.DEADLINE and (room.deadline is None or by.now < room.deadline):
        raise RoomRefusal(RefusalCode.NO_OFFER, "the time of this turn isn't over")
    offer = Offer(command.seat, command.turn, command.reason, by.now)
    return replace(room, offer=offer), (CalledOut(command.seat, command.turn, command.reason),)


def choose(room: Room, command: Choose, by: By) -> Step:
    """One of the others chooses for all of them. Waiting gives the turn its whole time once more."""
    mine = present_seat(room, by)
    offer = room.offer
    if offer is None or (offer.seat, offer.turn) != (command.seat, command.turn) or mine == offer.seat:
        raise RoomRefusal(RefusalCode.NO_OFFER, "there is nothing to choose for that seat and turn")
    room = replace(room, offer=None)
    if command.choice is Choice.BOT:
        return replace(room, bot_turn=offer.turn), (BotChosen(offer.seat, offer.turn, mine),)
    waiting = replace(room, waited_at=by.now, deadline=turn_ends_at(room, by.now))
    return waiting, (Waited(offer.seat, offer.turn, mine),)


def postpone(room: Room, command: Postpone, _by: By) -> Step:
    """Give back the time in which nobody could act."""
    if room.deadline is None:
        raise RoomRefusal(RefusalCode.STALE, "the turn that is on has no deadline")
    return replace(room, deadline=room.deadline + command.ms), (Postponed(command.ms),)
