"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = "${up_revision}"
down_revision = ${'"%s"' % down_revision if down_revision else "None"}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Take it back to the one before."""
    ${downgrades if downgrades else "pass"}
