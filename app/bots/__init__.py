"""Policies: ways for a bot to choose an action. They see the rules only."""
