"""What the REST side of the accounts takes and answers."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.accounts.names import MAX_CHARACTERS, clean_name

PlayerName = Annotated[
    str,
    AfterValidator(clean_name),
    Field(
        description=f"1 to {MAX_CHARACTERS} visible characters of any script; trimmed and composed (NFC)",
        examples=["Lija"],
    ),
]


class Named(BaseModel):
    """The name that a player wants to bear."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: PlayerName


class Me(BaseModel):
    """The player who asks."""

    player: str = Field(examples=["p3vq"])
    name: str = Field(examples=["Lija"])
