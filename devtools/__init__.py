"""What dev.py is made of. Standard library only: it runs before anything is installed."""
