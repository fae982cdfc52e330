"""The realtime layer: rooms, their commands, stores, sockets and deadlines."""
