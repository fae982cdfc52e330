"""The static client: its files, the pages that all begin with its index, and what browsers may do with it."""

from pathlib import Path

from fastapi import FastAPI, Request
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER = Path(__file__).resolve().parent / "web"
_PAGES = (
    "/",
    "/rooms/{code}",
    "/leaderboards",
    "/games/{game}",
    "/players/{player}",
    "/rules",
    "/variants",
    "/variants/{name}",
    "/fair",
    "/me",
)
# Programs ask below it: what isn't there is told to them as a problem, never as a page.
_INTERFACE = "/api"
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
# Everything comes from this server, and no script or style stands in the page itself. For browsers 'self' is
# also the socket of the page's own server.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SECURE_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


def serve_client(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the client's files under /web, and its pages."""
    app.mount("/web", StaticFiles(directory=folder, check_dir=False))

    async def page() -> Response:
        return FileResponse(folder / "index.html")

    nothing = app.router.default

    async def missing_page(scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["method"] == "GET"
        if is_page and not _is_interface(scope["path"]):
            await FileResponse(folder / "index.html", status_code=404)(scope, receive, send)
        else:
            await nothing(scope, receive, send)

    async def without_slash(request: Request) -> Response:
        # Without a host: the one that was asked for may be anybody's.
        where = request.url.replace(scheme="", netloc="", path=request.url.path.rstrip("/"))
        return RedirectResponse(str(where))

    async def no_page() -> Response:
        raise HTTPException(404)

    for path in (_INTERFACE, f"{_INTERFACE}/"):
        app.add_api_route(path, no_page, methods=_METHODS, include_in_schema=False)

    for path in _PAGES:
        app.add_api_route(path, page, methods=["GET"], include_in_schema=False)
    app.router.default = missing_page
    for path in (*_PAGES[1:], "/{page}"):
        app.add_api_route(f"{path}/", without_slash, methods=["GET"], include_in_schema=False)


class ResponseHeaders:
    """Adds to every response what browsers may do with it, and for how long."""

    def __init__(self, app: ASGIApp, *, is_secure: bool = False) -> None:
        self._app = app
        # Only where browsers come by TLS: they would ask for it from then on, whether it is there or not.
        self._headers = {**_HEADERS, **(_SECURE_HEADERS if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                headers.setdefault("Cache-Control", _cache_control(scope["path"]))
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _cache_control(path: str) -> str:
    """Files of the client may be kept, but browsers ask each time whether they have changed."""
    return "no-store" if _is_interface(path) else "no-cache"


def _is_interface(path: str) -> bool:
    return f"{path}/".startswith(f"{_INTERFACE}/")
