"""A room as the local store keeps it in memory, and as the journal keeps it in its file."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from app.rooms.codec import decode_room, encode_room
from app.rooms.journal_entries import (
    Changed,
    KeptGame,
    KeptRoom,
    RoomRow,
    Stepped,
    encode_kept,
)
from app.rooms.leases import worth_keeping
from app.rooms.room import Phase, Room
from app.rooms.store import (
    KEPT_REQUESTS,
    KEPT_UPDATES,
    LEASE_MS,
    Commit,
    FinishedGame,
    Lease,
    SeenLease,
    Stored,
)

_END_OF_ROOM = 320
"""About so many bytes of a room follow its sheets."""


class Head(Struct, frozen=True):
    """A room's newest state, and the room as the journal has it. The rest as in RoomRow."""

    stored: Stored
    encoded: bytes
    log_from: int = 0
    recorded: str | None = None
    due: int | None = None
    keep_ms: int | None = None
    expires_at: int | None = None

    def after(self, commit: Commit, now: int) -> "Head":
        """The head that the commit makes."""
        before = self.stored
        is_next_game = commit.room.game_id != before.room.game_id
        return Head(
            Stored(commit.room, before.version + 1, before.epoch),
            encode_room(commit.room),
            log_from=before.version if is_next_game else self.log_from,
            recorded=self.recorded,
            due=commit.due,
            keep_ms=commit.keep_ms,
            expires_at=_end_of_life(now, commit.keep_ms),
        )

    def living_on(self, now: int) -> "Head":
        """The head with its life begun anew."""
        return replace(self, expires_at=_end_of_life(now, self.keep_ms))

    def without_timer(self) -> "Head":
        """The head with its timer cleared."""
        return replace(self, due=None)

    def with_recorded(self, game_id: str, now: int) -> "Head":
        """The head once the game is in the books. The room's life begins with that, if it plays no other."""
        if game_id != self.stored.room.game_id:
            return self
        return replace(self, recorded=game_id, expires_at=_end_of_life(now, self.keep_ms))

    def row(self) -> RoomRow:
        """What the journal says of it."""
        stored = self.stored
        return RoomRow(
            code=stored.room.code,
            epoch=stored.epoch,
            version=stored.version,
            log_from=self.log_from,
            recorded=self.recorded,
            due=self.due,
            keep_ms=self.keep_ms,
            expires_at=self.expires_at,
        )


def new_head(room: Room, epoch: str, keep_ms: int | None, now: int) -> Head:
    """The head of a room that is made now."""
    return Head(
        Stored(room, 0, epoch), encode_room(room), keep_ms=keep_ms, expires_at=_end_of_life(now, keep_ms)
    )


class Waiting(Struct, frozen=True):
    """A game in the outbox: its place, its room as it was, and its log."""

    place: int
    room: Room
    log: list[bytes]


@dataclass(slots=True)
class LocalRoom:
    """A room in memory: its head and what the port asks to keep. `is_writing`: a write of it is under way,
    and others wait for its end. `waiting` are its games in the outbox, by id."""

    head: Head
    updates: deque[bytes] = field(default_factory=lambda: deque(maxlen=KEPT_UPDATES))
    versions: OrderedDict[str, int] = field(default_factory=OrderedDict)
    log: list[bytes] = field(default_factory=list)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    leases: dict[str, SeenLease] = field(default_factory=dict)
    is_writing: bool = False
    _settling: list[asyncio.Future[None]] = field(default_factory=list)

    async def settled(self) -> None:
        """Until no write of it is under way."""
        while self.is_writing:
            settling = asyncio.get_running_loop().create_future()
            self._settling.append(settling)
            await settling

    def written(self) -> None:
        """The write that was under way has ended, well or not."""
        self.is_writing = False
        if not self._settling:
            return
        settling, self._settling = self._settling, []
        for waits in settling:
            if not waits.done():  # whoever waited may have gone away
                waits.set_result(None)

    def advance(self, head: Head, commit: Commit) -> None:
        """Take the step that the disk has now."""
        if head.log_from != self.head.log_from:
            self.log = []  # the old one may be waiting in the outbox
        self.head = head
        self.log.extend(commit.events)
        self.answer(commit.request, head.stored.version, commit.update)

    def answer(self, request: str, version: int, update: bytes) -> None:
        """Keep the answer and the update of a step."""
        self.updates.append(update)
        self.versions[request] = version
        if len(self.versions) > KEPT_REQUESTS:
            self.versions.popitem(last=False)

    def updates_since(self, version: int) -> list[tuple[int, bytes]] | None:
        """As the port says."""
        newest, kept = self.head.stored.version, self.updates
        missing = newest - version
        if not 0 <= missing <= len(kept):
            return None
        return list(enumerate(islice(kept, len(kept) - missing, None), start=version + 1))

    def is_expired(self, now: int) -> bool:
        """Whether nothing keeps it any more."""
        expires_at = self.head.expires_at
        if expires_at is None or expires_at > now or self.waiting or self.is_writing:
            return False
        return not any(lease.until > now for lease in self.leases.values())

    def is_expected(self, commit: Commit) -> bool:
        """Whether the commit was decided on the newest state."""
        stored = self.head.stored
        return stored.version == commit.expected_version and commit.epoch in ("", stored.epoch)

    def is_to_live_on(self, now: int) -> bool:
        """Whether it is a lobby that has lived a quarter of its life: not every renewal is written."""
        head = self.head
        if head.stored.room.phase is not Phase.LOBBY or head.keep_ms is None or head.expires_at is None:
            return False
        return not self.is_writing and (head.expires_at - now) * 4 <= head.keep_ms * 3

    def has_had(self, game_id: str) -> bool:
        """Whether the game has been in the outbox."""
        return game_id in self.waiting or game_id == self.head.recorded

    def renew(self, lease: Lease, now: int) -> None:
        """Take a lease."""
        is_new = lease.connection not in self.leases
        seen = SeenLease(lease.player, lease.connection, lease.is_away, now + LEASE_MS)
        self.leases[lease.connection] = seen
        if is_new:
            self._keep_leases(now)

    def release(self, connection: str, now: int) -> None:
        """End a lease that is alive."""
        lease = self.leases.get(connection)
        if lease is not None and lease.until > now:
            self.leases[connection] = replace(lease, until=now)
            self._keep_leases(now)

    def _keep_leases(self, now: int) -> None:
        self.leases = {lease.connection: lease for lease in worth_keeping(self.leases.values(), now)}

    def kept(self) -> bytes:
        """All of it that the journal keeps."""
        games = [KeptGame(game.place, encode_room(game.room), game.log) for game in self.waiting.values()]
        requests, updates = list(self.versions.items()), list(self.updates)
        head = self.head
        return encode_kept(KeptRoom(head.row(), head.encoded, requests, updates, self.log, games))

    def size(self) -> int:
        """About how many bytes the journal keeps of it."""
        logs = [self.log, *(game.log for game in self.waiting.values())]
        return sum(map(len, self.updates)) + sum(len(event) for log in logs for event in log)


def step_entry(room: LocalRoom, head: Head, commit: Commit, waiting: Waiting | None) -> Stepped:
    """What the journal writes of a commit that makes that head of the room, and adds that to the outbox."""
    same = common_start(room.head.encoded, head.encoded)
    place = None if waiting is None else waiting.place
    return Stepped(head.row(), same, head.encoded[same:], commit.request, commit.update, commit.events, place)


def recorded_entry(room: LocalRoom, head: Head, game_id: str) -> Changed:
    """What the journal writes of a game in the outbox that is recorded."""
    return Changed(head.row(), room.waiting[game_id].place)


def room_from(kept: KeptRoom) -> LocalRoom:
    """The room that the journal kept."""
    row = kept.row
    stored = Stored(decode_room(kept.room), row.version, row.epoch)
    head = Head(stored, kept.room, row.log_from, row.recorded, row.due, row.keep_ms, row.expires_at)
    room = LocalRoom(head, log=kept.log)
    room.updates.extend(kept.updates)
    room.versions.update(kept.requests[-KEPT_REQUESTS:])
    for game in kept.games:
        before = decode_room(game.room)
        room.waiting[before.game_id] = Waiting(game.place, before, game.log)
    return room


def outbox_of(rooms: Iterable[LocalRoom]) -> dict[FinishedGame, int]:
    """The places of all games in the outbox, in their order."""
    places = {
        FinishedGame(waiting.room.code, game_id): waiting.place
        for room in rooms
        for game_id, waiting in room.waiting.items()
    }
    return dict(sorted(places.items(), key=lambda item: item[1]))


def common_start(before: bytes, now: bytes) -> int:
    """How many bytes they begin with in common, or somewhat fewer."""
    end = len(before) - _END_OF_ROOM
    if end > 0 and now.startswith(before[:end]):  # as after most steps: no sheet has changed
        return end
    same, differs = 0, min(len(before), len(now)) + 1
    while differs - same > 128:
        middle = (same + differs) // 2
        if now.startswith(before[same:middle], same):
            same = middle
        else:
            differs = middle
    return same


def _end_of_life(now: int, keep_ms: int | None) -> int | None:
    return None if keep_ms is None else now + keep_ms
