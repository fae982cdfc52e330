"""The problems that players and accounts answer with, each made in one place, for routes to describe."""

from app.problems import FieldError, Problem

WRONG_PASSWORD = "the user name or the password is wrong", "password"
WRONG_RECOVERY_CODE = "the user name or the recovery code is wrong", "recovery_code"


def not_signed_in() -> Problem:
    """For what nobody can do who is nobody."""
    headers = {"WWW-Authenticate": "Bearer"}
    return Problem(
        401, "not_signed_in", "there is no valid session: become a guest or sign in first", headers=headers
    )


def wrong_credentials(sentence: str, field: str) -> Problem:
    """The same whether the user name or what proves him is wrong."""
    return Problem(401, "wrong_credentials", sentence, errors=[FieldError(field=field, sentence=sentence)])


def wrong_password() -> Problem:
    """For a player who is signed in, and has to prove it again."""
    sentence = "the password is wrong"
    return Problem(403, "wrong_password", sentence, errors=[FieldError(field="password", sentence=sentence)])


def already_registered(user_name: str) -> Problem:
    """A player has one account at most."""
    return Problem(409, "already_registered", f"this player has the account {user_name}")


def user_name_taken(user_name: str) -> Problem:
    """Also by one that looks alike."""
    sentence = "somebody has this user name, or one that looks like it"
    error = FieldError(field="user_name", sentence=sentence)
    return Problem(409, "user_name_taken", f"{user_name}: {sentence}", errors=[error])


def no_account() -> Problem:
    """What needs a password can't be done by a guest."""
    return Problem(409, "no_account", "this player has no account: register first")


def changed_meanwhile() -> Problem:
    """The other request was first."""
    return Problem(409, "changed_meanwhile", "the account was changed at the same time: try again")


def too_many_attempts(seconds: int) -> Problem:
    """For who has tried too often."""
    return _too_many("attempts", "there were too many attempts", seconds)


def too_many_made(what: str, seconds: int) -> Problem:
    """For who has made too many guests, rooms or variants."""
    return _too_many(f"{what}s", f"you or others at your address have made too many {what}s", seconds)


def _too_many(what: str, sentence: str, seconds: int) -> Problem:
    headers = {"Retry-After": str(seconds)}
    return Problem(429, f"too_many_{what}", f"{sentence}: try again in {seconds} s", headers=headers)
