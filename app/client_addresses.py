"""Which address a client is counted by."""

from ipaddress import IPv6Address, ip_address


def network_of(host: str) -> str:
    """The address itself; of IPv6 its network of 64 bits, since one client has many addresses in it.

    What is no address, such as the path of a Unix socket, stays as it is.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return address.exploded[:19]
