"""Finding a player as an operator names him."""

from app.accounts.repository import account_named, name_of_player
from app.accounts.user_names import clean_user_name
from app.db import Database


async def find_player(database: Database, named: str) -> str:
    """The id of the player with that id or user name. Raises ValueError with a sentence."""
    try:
        user_name = clean_user_name(named)
    except ValueError:
        user_name = ""
    async with database.reading() as session:
        by_id = named if await name_of_player(session, named) is not None else None
        account = await account_named(session, user_name)
    by_user_name = account.player if account else None
    if by_id and by_user_name and by_id != by_user_name:
        # Anybody may choose another's id as his user name.
        raise ValueError(
            f"{named} is the id of one player, and the user name of {by_user_name}: name that id"
        )
    found = by_id or by_user_name
    if found is None:
        raise ValueError(f"no player has the id or user name {named!r:.80}")
    return found
