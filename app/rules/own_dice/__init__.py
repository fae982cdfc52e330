"""Games with dice of one's own: the table rolls real dice, and the screen is the score sheet.

No dice are drawn and nobody's turn is enforced. Source: docs/rules.md, Own dice.
"""
