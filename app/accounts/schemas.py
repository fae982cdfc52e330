"""What the REST side of the accounts takes and answers."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.accounts import passwords
from app.accounts.identity import Identity
from app.accounts.names import MAX_CHARACTERS, clean_name, shown_player
from app.accounts.user_names import LEAST_CHARACTERS, MOST_CHARACTERS, clean_user_name

PlayerName = Annotated[
    str,
    AfterValidator(clean_name),
    Field(
        description=f"1 to {MAX_CHARACTERS} visible characters of any script; trimmed and composed (NFC)",
        examples=["Lija"],
    ),
]
NewUserName = Annotated[
    str,
    AfterValidator(clean_user_name),
    Field(
        description=f"{LEAST_CHARACTERS} to {MOST_CHARACTERS} letters of one script, digits and `. _ -`, "
        "a letter or digit first; kept in small letters. Nobody has one that looks alike. Others see it",
        examples=["lija"],
    ),
]
NewPassword = Annotated[
    str,
    Field(
        min_length=passwords.LEAST_CHARACTERS,
        max_length=passwords.MOST_CHARACTERS,
        description="any characters; composed (NFKC) before it is hashed",
        examples=["four words or more"],
    ),
]
# What was never given out is wrong, and not malformed: nothing is told about which there are.
GivenUserName = Annotated[str, Field(max_length=256, examples=["lija"])]
GivenPassword = Annotated[str, Field(max_length=passwords.MOST_CHARACTERS, examples=["four words or more"])]
RecoveryCode = Annotated[str, Field(max_length=64, examples=["7K2M-9QXT-0RBA-W4HD-3NEV-Y8CP"])]


class Given(BaseModel):
    """A body that has nothing but what is asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Given):
    """The name that a player wants to bear."""

    name: PlayerName


class Registration(Given):
    """A new account."""

    user_name: NewUserName
    password: NewPassword


class Credentials(Given):
    """By which an account signs in."""

    user_name: GivenUserName
    password: GivenPassword


class Recovery(Given):
    """A new password, by the recovery code."""

    user_name: GivenUserName
    recovery_code: RecoveryCode
    password: NewPassword


class Proof(Given):
    """The password, given again before something that is hard to take back."""

    password: GivenPassword


class NewPasswordWanted(Given):
    """Another password in the place of the present one."""

    password: GivenPassword
    new_password: NewPassword


class Deletion(Given):
    """What a player gives who deletes himself: an account its password, a guest nothing."""

    password: GivenPassword | None = None


class Me(BaseModel):
    """The player who asks."""

    player: str = Field(examples=["p3vqk7xm2a"])
    name: str = Field(examples=["Lija"])
    tag: str | None = Field(
        description="tells guests of one name apart; null for an account", examples=["xm2a"]
    )
    user_name: str | None = Field(
        description="of the account, which others see too; null for a guest", examples=[None]
    )

    @classmethod
    def of(cls, who: Identity) -> "Me":
        """The player as he sees himself."""
        shown = shown_player(who.player, who.name, who.user_name)
        return cls(player=shown.id, name=shown.name, tag=shown.tag, user_name=shown.user_name)


class MeWithRecoveryCode(Me):
    """The player who asks, and his new recovery code, which is shown this once."""

    recovery_code: RecoveryCode


class NewRecoveryCode(BaseModel):
    """A recovery code, which is shown this once."""

    recovery_code: RecoveryCode


class ExportedPlayer(BaseModel):
    """Who a player is."""

    id: str = Field(examples=["p3vqk7xm2a"])
    name: str = Field(examples=["Lija"])
    since: int = Field(examples=[1_790_000_000_000])


class ExportedAccount(BaseModel):
    """What is kept of an account, beside hashes."""

    user_name: str = Field(examples=["lija"])
    since: int = Field(examples=[1_790_000_000_000])


class ExportedSession(BaseModel):
    """A browser or program that is signed in."""

    since: int = Field(examples=[1_790_000_000_000])
    until: int = Field(examples=[1_824_560_000_000])


_RESULT = {
    "game": "g7d1",
    "seat": 0,
    "variant": "papir",
    "score": 912,
    "place": 1,
    "ended_at": 1_790_003_600_000,
}


class Export(BaseModel):
    """All that is kept about a player. `results`: what he reached; `games`: the records of all his games."""

    player: ExportedPlayer
    account: ExportedAccount | None
    sessions: list[ExportedSession]
    results: list[dict[str, Any]] = Field(examples=[[_RESULT]])
    games: list[dict[str, Any]] = Field(examples=[[{"id": "g7d1"}]])
