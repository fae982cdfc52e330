"""Who is this: accounts, credentials and the identity behind a request."""
