"""How much a server carries: real programs, pinned to cores, under a load that comes over sockets."""
