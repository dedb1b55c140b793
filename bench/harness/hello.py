"""What a client and a server agree on over TLS, as the generators themselves do it.

A relay between the two reads each ServerHello, which says in clear which version, cipher and group are used and whether a
session goes on (RFC 8446 §4.1.3)."""
import asyncio
import struct
from dataclasses import dataclass

HANDSHAKE = 22
SERVER_HELLO = 2
PRE_SHARED_KEY = 41
SUPPORTED_VERSIONS = 43
KEY_SHARE = 51
# The random of a HelloRetryRequest, which has the form of a ServerHello.
RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
VERSIONS = {0x0303: "TLSv1.2", 0x0304: "TLSv1.3"}
CIPHERS = {0x1301: "AES_128_GCM_SHA256", 0x1302: "AES_256_GCM_SHA384", 0x1303: "CHACHA20_POLY1305_SHA256"}
GROUPS = {0x0017: "P-256", 0x0018: "P-384", 0x001d: "X25519", 0x11ec: "X25519MLKEM768"}


@dataclass(frozen=True)
class Agreed:
    """One handshake."""

    version: str
    cipher: str
    # None where the message tells none, as in TLS 1.2.
    group: str
    resumed: bool
    # Whether the server asked for a second ClientHello first.
    retried: bool = False


def _extensions(data):
    found = {}
    while data:
        kind, length = struct.unpack_from(">HH", data)
        found[kind] = data[4:4 + length]
        data = data[4 + length:]
    return found


def _number(names, number):
    return names.get(number, f"{number:#06x}")


def parse(data):
    """What the first bytes of a server say; None while they are too few, ValueError when they are no ServerHello."""
    if len(data) < 9:
        return None
    if data[0] != HANDSHAKE or data[5] != SERVER_HELLO:
        raise ValueError(f"expected a ServerHello; found {bytes(data[:9]).hex()}")
    length = int.from_bytes(data[6:9])
    if len(data) < 9 + length:
        return None
    hello = bytes(data[9:9 + length])
    try:
        version, random = struct.unpack_from(">H32s", hello)
        at = 35 + hello[34]
        cipher, = struct.unpack_from(">H", hello, at)
        extensions = _extensions(hello[at + 5:])
        if SUPPORTED_VERSIONS in extensions:
            version, = struct.unpack(">H", extensions[SUPPORTED_VERSIONS])
        group = _number(GROUPS, struct.unpack_from(">H", extensions[KEY_SHARE])[0]) if KEY_SHARE in extensions else None
    except (IndexError, struct.error) as short:
        raise ValueError(f"a ServerHello that breaks off: {hello.hex()}") from short
    return Agreed(_number(VERSIONS, version), _number(CIPHERS, cipher), group, PRE_SHARED_KEY in extensions,
                  random == RETRY)


async def _pipe(reader, writer, seen=None):
    """Hands on until the end; what comes first is kept in `seen`."""
    try:
        while data := await reader.read(65536):
            if seen is not None and len(seen) < 65536:
                seen.extend(data)
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def _relay(port, reader, writer, seen):
    try:
        there, away = await asyncio.open_connection("127.0.0.1", port)
        try:
            await asyncio.gather(_pipe(reader, away), _pipe(there, writer, seen))
        finally:
            away.close()
    finally:
        writer.close()


async def _overhear(port, words, patience):
    beginnings, relays = [], set()

    def accepted(reader, writer):
        beginnings.append(bytearray())
        relays.add(asyncio.create_task(_relay(port, reader, writer, beginnings[-1])))

    async with await asyncio.start_server(accepted, "127.0.0.1", 0) as between:
        generator = await asyncio.create_subprocess_exec(
            *words(between.sockets[0].getsockname()[1]), stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT)
        try:
            said, _ = await asyncio.wait_for(generator.communicate(), patience)
        except TimeoutError:
            generator.kill()
            raise
        finally:
            # The generator leaves when its time is over, whatever is on its way then.
            for relay in relays:
                relay.cancel()
            await asyncio.gather(*relays, return_exceptions=True)
    return said.decode(errors="replace"), beginnings


def overhear(port, words, patience):
    """Runs a generator against a relay to a port, `words` by the relay's own port: (what it printed, each handshake
    whose ServerHello came)."""
    said, beginnings = asyncio.run(_overhear(port, words, patience))
    return said, [agreed for agreed in map(parse, beginnings) if agreed is not None]
