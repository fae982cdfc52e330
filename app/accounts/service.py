"""Accounts: registering, signing in, recovering, and what else needs a password."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from app.accounts.attempts import PROVING, REGISTERING, SIGNING_IN, Attempts
from app.accounts.identity import Identity, hash_of_token, make_token
from app.accounts.passwords import Passwords
from app.accounts.recovery_codes import hash_of_recovery_code, make_recovery_code
from app.accounts.refusing import (
    WRONG_PASSWORD,
    WRONG_RECOVERY_CODE,
    already_registered,
    changed_meanwhile,
    no_account,
    not_signed_in,
    user_name_taken,
    wrong_credentials,
    wrong_password,
)
from app.accounts.repository import (
    Account,
    account_named,
    account_of,
    add_account,
    add_player,
    add_session,
    deleted_among,
    end_oldest_sessions,
    end_session,
    end_sessions,
    hold_password,
    is_taken,
    name_of_player,
    set_password,
    set_recovery_code,
)
from app.accounts.user_names import clean_user_name, skeleton_of
from app.clock import Now
from app.db import Database, Session
from app.problems import Problem
from app.spending import in_thread

SESSION_SECONDS = 400 * 24 * 60 * 60
"""Browsers keep no cookie longer."""
MOST_SESSIONS = 50
"""Of one account. One more ends the oldest."""

_ID_LETTERS = "abcdefghjkmnpqrstvwxyz0123456789"
_ID_RANDOM_LETTERS = 9


TellEnded = Callable[[str], None]
"""Told of a player some of whose sessions are over."""


def tell_nobody(_player: str) -> None:
    """For where nobody keeps anything open by a session."""


@dataclass(frozen=True, slots=True)
class Signed:
    """Who is signed in now, by which new token, and the recovery code where there is a new one."""

    identity: Identity
    token: str
    recovery_code: str = ""


class Accounts:
    """What can be done with accounts. What can't be done raises Problem.

    `token` is that of the session that asks, if any; it is replaced. `address`: where who asks is.

    `tell_ended` is told of players whose sessions have been ended on purpose. Not of a session that another
    one replaces: its browser has yet to get the new cookie, and would ask by the old one who it is.
    """

    def __init__(
        self, database: Database, passwords: Passwords, *, now: Now, tell_ended: TellEnded = tell_nobody
    ) -> None:
        self._database = database
        self._passwords = passwords
        self._attempts = Attempts(database, now)
        self._now = now
        self._tell_ended = tell_ended

    async def become_guest(self, name: str) -> Signed:
        """A new player without an account."""
        token, now = make_token(), self._now()
        async with self._database.session() as session:
            player = await _add_new_player(session, name, now)
            await self._replace_session(session, None, token, player)
        return Signed(Identity(player, name), token)

    async def register(
        self, who: Identity | None, token: str | None, user_name: str, password: str, *, address: str
    ) -> Signed:
        """An account for the player who asks, or for a new one who is named like it."""
        if who is not None and who.user_name is not None:
            raise already_registered(who.user_name)
        await self._attempts.begin(REGISTERING, address=address)
        # The first one reads a long table.
        skeleton = await in_thread(skeleton_of, user_name)
        async with self._database.reading() as session:
            if await is_taken(session, user_name, skeleton):
                raise user_name_taken(user_name)
        code, new_token, now = make_recovery_code(), make_token(), self._now()
        password_hash = await self._passwords.hash(password)
        async with self._database.session() as session:
            if who is None:
                player, name = await _add_new_player(session, user_name, now), user_name
            else:
                await _hold(session, who.player)
                player, name = who.player, who.name
            account = Account(player, user_name, password_hash, hash_of_recovery_code(code), now)
            if not await add_account(session, account, skeleton):
                raise await _why_not_added(session, account)
            was_signed_in = await self._replace_session(session, token, new_token, player)
            if who is not None and not was_signed_in:
                # Signed out meanwhile, perhaps since somebody else has the token.
                raise not_signed_in()
        return Signed(Identity(player, name, user_name), new_token, code)

    async def sign_in(self, token: str | None, user_name: str, password: str, *, address: str) -> Signed:
        """The player whose account that is. From outside it looks the same whatever is wrong."""
        typed = await self._begin_to_prove(user_name, address)
        signed = None
        while signed is None:
            account = await self._account_named(typed)
            stored = account.password_hash if account else None
            if not await self._passwords.is_right(password, stored) or account is None:
                raise wrong_credentials(*WRONG_PASSWORD)
            await self._attempts.begin(SIGNING_IN, name=typed, address=address)
            signed = await self._signed_in(token, account, password)
        await self._attempts.succeeded(PROVING, name=typed, address=address)
        return signed

    async def _signed_in(self, token: str | None, account: Account, password: str) -> Signed | None:
        """None when that isn't the hash any more: another password, or this one hashed anew."""
        outdated = self._passwords.is_outdated(account.password_hash)
        better = await self._passwords.hash(password) if outdated else None
        new_token = make_token()
        async with self._database.session() as session:
            name = await _hold(session, account.player)
            # Whoever has changed the password meanwhile has ended the sessions that there were then.
            if await hold_password(session, account.player) != account.password_hash:
                return None
            if better is not None:
                await set_password(session, account.player, better)
            await self._replace_session(session, token, new_token, account.player)
            has_ended = await end_oldest_sessions(session, account.player, keep=MOST_SESSIONS)
        if has_ended:
            self._tell_ended(account.player)
        return Signed(Identity(account.player, name, account.user_name), new_token)

    async def recover(
        self, token: str | None, user_name: str, recovery_code: str, *, password: str, address: str
    ) -> Signed:
        """A new password and recovery code for the old code. Whoever is signed in elsewhere is no longer."""
        account = await self._account_named(await self._begin_to_prove(user_name, address))
        password_hash = await self._passwords.hash(password)
        code, new_token = make_recovery_code(), make_token()
        old, new = hash_of_recovery_code(recovery_code), hash_of_recovery_code(code)
        if account is None:
            raise wrong_credentials(*WRONG_RECOVERY_CODE)
        async with self._database.session() as session:
            name = await _hold(session, account.player)
            if not await set_recovery_code(session, account.player, new, old=old):
                raise wrong_credentials(*WRONG_RECOVERY_CODE)
            await set_password(session, account.player, password_hash)
            await end_sessions(session, account.player)
            await self._replace_session(session, token, new_token, account.player)
        self._tell_ended(account.player)
        await self._attempts.succeeded(PROVING, name=account.user_name, address=address)
        return Signed(Identity(account.player, name, account.user_name), new_token, code)

    async def renew_recovery_code(self, who: Identity, password: str, *, address: str) -> str:
        """Another recovery code in the place of the one there was."""
        account = await self.prove(who, password, address=address)
        code = make_recovery_code()
        async with self._database.session() as session:
            await _hold_proved(session, account)
            new = hash_of_recovery_code(code)
            if not await set_recovery_code(session, account.player, new, old=account.recovery_hash):
                raise changed_meanwhile()
        return code

    async def change_password(
        self, who: Identity, token: str | None, password: str, new_password: str, *, address: str
    ) -> None:
        """Another password. Whoever is signed in elsewhere is no longer."""
        account = await self.prove(who, password, address=address)
        password_hash = await self._passwords.hash(new_password)
        async with self._database.session() as session:
            await _hold_proved(session, account)
            await set_password(session, account.player, password_hash)
            await end_sessions(session, account.player, but=hash_of_token(token) if token else b"")
        self._tell_ended(account.player)

    async def sign_out(self, who: Identity) -> None:
        """End the session by which he asks."""
        async with self._database.session() as session:
            await end_session(session, who.session)
        self._tell_ended(who.player)

    async def sign_out_everywhere(self, who: Identity) -> None:
        """End all sessions of a player."""
        async with self._database.session() as session:
            await end_sessions(session, who.player)
        self._tell_ended(who.player)

    async def prove(self, who: Identity, password: str, *, address: str) -> Account:
        """The account of the player who asks, if that is its password."""
        async with self._database.reading() as session:
            account = await account_of(session, who.player)
        if account is None:
            raise no_account()
        await self._attempts.begin(PROVING, name=account.user_name, address=address)
        if not await self._passwords.is_right(password, account.password_hash):
            raise wrong_password()
        await self._attempts.succeeded(PROVING, name=account.user_name, address=address)
        return account

    async def _begin_to_prove(self, typed: str, address: str) -> str:
        """Counts the attempt; the user name as it is kept, empty when it can be nobody's."""
        try:
            user_name = clean_user_name(typed)
        except ValueError:
            user_name = ""
        await self._attempts.begin(PROVING, name=user_name, address=address)
        return user_name

    async def _account_named(self, user_name: str) -> Account | None:
        async with self._database.reading() as session:
            return await account_named(session, user_name)

    async def _replace_session(self, session: Session, old: str | None, new: str, player: str) -> bool:
        """Whether there was an old one."""
        was_there = old is not None and await end_session(session, hash_of_token(old))
        now = self._now()
        expires_at = now + SESSION_SECONDS * 1000
        add_session(session, hash_of_token(new), player, now=now, expires_at=expires_at)
        return was_there


def make_player_id() -> str:
    """A new player's id. Public, and not guessable from another one."""
    return "p" + "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_RANDOM_LETTERS))


async def _hold(session: Session, player: str) -> str:
    """The player's name. He can't be deleted before this transaction's end; Problem when he is already."""
    if await deleted_among(session, [player]):
        raise not_signed_in()
    return await name_of_player(session, player) or ""


async def _hold_proved(session: Session, account: Account) -> None:
    """See that the password by which it was proved is the account's until this transaction's end."""
    await _hold(session, account.player)
    if await hold_password(session, account.player) != account.password_hash:
        raise changed_meanwhile()


async def _why_not_added(session: Session, wanted: Account) -> Problem:
    """The other request was first: the same player's, or of one who wants a name like it."""
    account = await account_of(session, wanted.player)
    return user_name_taken(wanted.user_name) if account is None else already_registered(account.user_name)


async def _add_new_player(session: Session, name: str, now: int) -> str:
    player = make_player_id()
    while not await add_player(session, player, name, now):
        player = make_player_id()
    return player
