"""The static client: its files, the pages that all begin with its index, and what browsers may do with them."""

from pathlib import Path
from typing import override

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER = Path(__file__).resolve().parent / "web"
_PAGES = ("/", "/rooms/{code}", "/leaderboards", "/leaderboards/{variant}", "/games/{game}", "/rules", "/fair")
# Everything comes from this server. `'self'` covers the socket too: browsers take ws for http and wss for https.
_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def serve_client(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the client's files under /web and its pages. Browsers ask each time whether a file has changed."""
    app.mount("/web", _Files(directory=folder, check_dir=False))

    async def page() -> Response:
        return FileResponse(folder / "index.html", headers={"Cache-Control": "no-cache"})

    for path in _PAGES:
        app.add_api_route(path, page, methods=["GET"], include_in_schema=False)


class _Files(StaticFiles):
    @override
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


class SecurityHeaders:
    """Adds to every response what browsers may do with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)
