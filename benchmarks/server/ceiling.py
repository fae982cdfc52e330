"""The ceiling: a bare application that parses a message and sends as many bytes to as many sockets.

Served as the real one is. `python -m benchmarks.server.ceiling PORT BYTES`.
"""

import json
import sys
from collections import defaultdict

import uvicorn
from starlette.types import Receive, Scope, Send

from app.serving import uvicorn_config
from app.sockets import make_listener


def make_app(update_bytes: int) -> object:
    """An application whose updates have that many bytes."""
    update = '{"type":"update","filler":"' + "x" * (update_bytes - 29) + '"}'
    tables: dict[str, list[Send]] = defaultdict(list)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await _answer_http(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        table = tables[scope["path"]]
        table.append(send)
        while (frame := await receive())["type"] == "websocket.receive":
            message = json.loads(frame["text"])
            for other in table:
                await other({"type": "websocket.send", "text": update})
            ok = f'{{"type":"ok","request":"{message["request"]}","version":{message["turn"]}}}'
            await send({"type": "websocket.send", "text": ok})
        table.remove(send)

    return app


async def _answer_http(scope: Scope, receive: Receive, send: Send) -> None:
    """That it is there, and the lifespan."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def main() -> None:
    """Serve."""
    port, update_bytes = map(int, sys.argv[1:])
    with make_listener("127.0.0.1", port) as listener:
        uvicorn.Server(uvicorn_config(make_app(update_bytes), ws="websockets-sansio")).run(sockets=[listener])


if __name__ == "__main__":
    main()
