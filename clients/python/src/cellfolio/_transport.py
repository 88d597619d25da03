"""How calls get to the server: keys, sessions, retries, progress, cancelling and files.

`AsyncTransport` does it; `Transport` does it in a thread of its own with an event loop, so that Ctrl-C in the caller's
thread cancels the work on the server too, and progress is told in the caller's thread.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
import uuid
import warnings
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx

from ._calls import Answer, Call, Progress
from .errors import ApiError, CellfolioError, ConnectionFailed, NotAuthorized, api_error

T = TypeVar("T")

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_MAX_WAIT_SECONDS = 120.0
"""A server that asks for a longer wait is not waited for."""


@dataclass(frozen=True)
class Limits:
    """retries: of a call that was refused for want of room. timeout: seconds without a byte of an answer."""

    retries: int = 5
    timeout: float = 900.0


class _Session:
    """A session of a signed-in user, which is renewed shortly before it ends."""

    def __init__(self, config: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        self.api_key = str(config["apiKey"])
        self.publishable_key = str(config["publishableKey"])
        self.renewal = asyncio.Lock()
        self.take(answer)

    def take(self, answer: Mapping[str, Any]) -> None:
        self.user_id = str(answer["user"]["id"])
        self.access_token = str(answer["access_token"])
        self.refresh_token = str(answer["refresh_token"])
        self.ends = time.monotonic() + float(answer["expires_in"]) - 60


class AsyncTransport:
    """Sends calls. Neither the key nor a token is in its text, in an address or in an error."""

    def __init__(self, url: str, key: str | None, limits: Limits = Limits()) -> None:
        self.url = _checked_url(url)
        self._key = key
        self._session: _Session | None = None
        self._limits = limits
        timeout = httpx.Timeout(limits.timeout, connect=20.0, pool=None)
        # Redirects are not followed, so that a key never leaves the server that it is for.
        self._http = httpx.AsyncClient(
            base_url=self.url, timeout=timeout, follow_redirects=False, limits=httpx.Limits()
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    async def close(self) -> None:
        await self._http.aclose()

    async def sign_in(self, email: str, password: str) -> None:
        """Begins a session, in place of a personal key."""
        config = await self.config()
        answer = await self._token(
            str(config["publishableKey"]), "password", {"email": email, "password": password}
        )
        self._session = _Session(config, answer)

    async def config(self) -> Mapping[str, Any]:
        """The public settings of the server."""
        answer = await self.retried(lambda: self._once(Call("GET", "/config.json"), {}))
        settings: Mapping[str, Any] = answer.json()
        return settings

    async def user_id(self) -> str:
        """Id of the user of the session. Raises NotAuthorized without a session."""
        return (await self._renewed()).user_id

    async def as_user(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """The answer of the services of files and rows, which take a session. Raises CellfolioError."""

        async def attempt() -> Answer:
            session = await self._renewed()
            own = {
                "apikey": session.publishable_key,
                "Authorization": f"Bearer {session.access_token}",
            }
            async with self._response(
                Call(method, path), {**(headers or {}), **own}, content
            ) as response:
                return Answer(await response.aread(), response.headers)

        return await self.retried(attempt)

    async def upload(
        self, path: Path, name: str, description: str | None, progress: Progress | None
    ) -> str:
        """Uploads a file of the user; returns its id."""
        from ._upload import upload_file

        return await upload_file(self, path, name, description, progress)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def send(self, call: Call, progress: Progress | None = None) -> Answer:
        """The answer of a call; again after a wait where the server asks for that. Raises CellfolioError."""

        async def attempt() -> Answer:
            headers = await self._headers(call)
            if progress is None:
                return await self._once(call, headers)
            return await self._watched(call, headers, progress)

        return await self.retried(attempt)

    async def retried(self, attempt: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `attempt`, which is made again while the server says when to."""
        for retries_left in range(self._limits.retries, -1, -1):
            try:
                return await attempt()
            except _RetryLater as later:
                if retries_left == 0 or later.seconds > _MAX_WAIT_SECONDS:
                    raise later.refusal from None
                await asyncio.sleep(later.seconds)
        raise AssertionError("unreachable")

    async def download(self, call: Call, to: Path, progress: Progress | None = None) -> None:
        """Writes the answer of a call that goes on `from` the bytes that are there, and has an `ETag`."""
        etag: str | None = None
        failures = 0
        while True:
            size = to.stat().st_size if to.exists() else 0
            try:
                async with self._rest(call, size, etag) as response:
                    etag = response.headers["etag"]
                    total = size + int(response.headers["content-length"])
                    await _written(response, to, size, total, progress)
                return
            except ConnectionFailed:
                have = to.stat().st_size if to.exists() else 0
                failures = 0 if have > size else failures + 1
                if etag is None or failures > self._limits.retries:
                    raise
                await asyncio.sleep(min(30, 2**failures))

    @asynccontextmanager
    async def _rest(self, call: Call, size: int, etag: str | None) -> AsyncIterator[httpx.Response]:
        """The response of a download behind the first `size` bytes."""
        resumed = {} if etag is None else {"from": size, "etag": etag}
        part = replace(call, body={**(call.body or {}), **resumed})

        async def attempt() -> tuple[AsyncExitStack, httpx.Response]:
            async with AsyncExitStack() as stack:
                response = self._response(part, await self._headers(part))
                opened = await stack.enter_async_context(response)
                return stack.pop_all(), opened

        stack, response = await self.retried(attempt)
        async with stack:
            yield response

    async def _headers(self, call: Call) -> dict[str, str]:
        headers = {"X-Session-Id": call.session} if call.session is not None else {}
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        if self._key is not None:
            return {**headers, "X-API-Key": self._key}
        session = await self._renewed()
        return {
            **headers,
            "X-API-Key": session.api_key,
            "Authorization": f"Bearer {session.access_token}",
        }

    async def _once(self, call: Call, headers: Mapping[str, str]) -> Answer:
        async with self._response(call, headers) as response:
            return Answer(await response.aread(), response.headers)

    @asynccontextmanager
    async def _response(
        self, call: Call, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncIterator[httpx.Response]:
        """The response of one request, whose body is still to be read. Raises CellfolioError, _RetryLater."""
        try:
            async with self._http.stream(
                call.method,
                call.path,
                params=call.params() or None,
                content=call.content() if content is None else content,
                headers=headers,
            ) as response:
                if response.is_success:
                    yield response
                    return
                refusal = _refusal(response, await response.aread())
                wait = _wait_seconds(response)
        except httpx.HTTPError as failure:
            raise ConnectionFailed(f"{self.url}: {type(failure).__name__} {failure}") from failure
        raise refusal if wait is None else _RetryLater(wait, refusal)

    async def _watched(self, call: Call, headers: dict[str, str], progress: Progress) -> Answer:
        """Makes a call while its progress is watched. What `progress` raises cancels the call."""
        request_id = uuid.uuid4().hex
        is_open = asyncio.Event()
        watch = asyncio.create_task(self._watch(request_id, headers, progress, is_open))
        opening = asyncio.create_task(is_open.wait())
        tasks: list[asyncio.Task[Any]] = [watch, opening]
        try:
            await asyncio.wait({watch, opening}, return_when=asyncio.FIRST_COMPLETED)
            work = asyncio.create_task(self._once(call, {**headers, "X-Request-Id": request_id}))
            tasks.append(work)
            await asyncio.wait({watch, work}, return_when=asyncio.FIRST_COMPLETED)
            if watch.done():
                watch.result()
            return await work
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(
        self,
        request_id: str,
        headers: Mapping[str, str],
        progress: Progress,
        is_open: asyncio.Event,
    ) -> None:
        """Tells `progress` what the stream of a call says. A stream that fails is not told: the call goes on."""
        path = f"/api/progress/{quote(request_id, safe='')}"
        try:
            async with self._http.stream("GET", path, headers=headers) as response:
                if not response.is_success:
                    return
                async for line in response.aiter_lines():
                    is_open.set()
                    if line.startswith("event: end"):
                        return
                    _tell(line, progress)
        except httpx.HTTPError:
            return

    async def _renewed(self) -> _Session:
        session = self._session
        if session is None:
            raise NotAuthorized(
                403,
                "session_required",
                "A personal key may not do this. Sign in: Cellfolio.sign_in(url, email, password).",
            )
        async with session.renewal:
            if time.monotonic() > session.ends:
                sent = {"refresh_token": session.refresh_token}
                session.take(await self._token(session.publishable_key, "refresh_token", sent))
        return session

    async def _token(self, key: str, grant: str, sent: Mapping[str, str]) -> Mapping[str, Any]:
        call = Call("POST", "/auth/v1/token", query={"grant_type": grant}, body=sent)
        headers = {"apikey": key, "Content-Type": "application/json"}
        answer = await self.retried(lambda: self._once(call, headers))
        tokens: Mapping[str, Any] = answer.json()
        return tokens


async def _written(
    response: httpx.Response, to: Path, size: int, total: int, progress: Progress | None
) -> None:
    with to.open("ab") as file:
        async for piece in response.aiter_raw(1024 * 1024):
            file.write(piece)
            size += len(piece)
            if progress is not None:
                progress("Downloading", size, total)


class _RetryLater(CellfolioError):
    def __init__(self, seconds: float, refusal: ApiError) -> None:
        super().__init__(str(refusal))
        self.seconds = seconds
        self.refusal = refusal


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("url: give the address of the server, such as https://cells.example.org")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("url: give an address without a user, a query and a fragment")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        warnings.warn(f"{url} is not encrypted: others may read your key.", stacklevel=4)
    return url.rstrip("/")


def _refusal(response: httpx.Response, content: bytes) -> ApiError:
    """The exception of a refusal, of whichever service, or of a proxy before it."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    code = next(
        (body[name] for name in ("error_code", "code") if isinstance(body.get(name), str)),
        "unreachable",
    )
    messages = (
        body[name] for name in ("message", "msg", "error") if isinstance(body.get(name), str)
    )
    message = next(messages, f"The server answered with the status {response.status_code}.")
    request_id = response.headers.get("x-request-id")
    return api_error(response.status_code, code, message, body.get("details"), request_id)


def _wait_seconds(response: httpx.Response) -> float | None:
    """Seconds after which to try again; None where the server does not say so."""
    text = response.headers.get("retry-after", "")
    if response.status_code not in {429, 503} or not text:
        return None
    if text.isdigit():
        return float(text)
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    return None


def _tell(line: str, progress: Progress) -> None:
    if not line.startswith("data: "):
        return
    event = json.loads(line.removeprefix("data: "))
    if isinstance(event, dict) and "stage" in event:
        progress(str(event["stage"]), int(event.get("done", 0)), int(event.get("total", 0)))


class Transport:
    """The calls of `AsyncTransport` for code that is not asynchronous, also within a running event loop."""

    def __init__(self, url: str, key: str | None, limits: Limits = Limits()) -> None:
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, name="cellfolio", daemon=True)
        self._inner = AsyncTransport(url, key, limits)
        thread.start()
        self._stop = weakref.finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._inner.url!r})"

    @property
    def url(self) -> str:
        return self._inner.url

    def close(self) -> None:
        if self._stop.alive:
            self.run(lambda _: self._inner.close())
            self._stop()

    def sign_in(self, email: str, password: str) -> None:
        self.run(lambda _: self._inner.sign_in(email, password))

    def config(self) -> Mapping[str, Any]:
        return self.run(lambda _: self._inner.config())

    def send(self, call: Call, progress: Progress | None = None) -> Answer:
        return self.run(lambda relay: self._inner.send(call, relay), progress)

    def download(self, call: Call, to: Path, progress: Progress | None = None) -> None:
        self.run(lambda relay: self._inner.download(call, to, relay), progress)

    def upload(
        self, path: Path, name: str, description: str | None, progress: Progress | None
    ) -> str:
        return self.run(lambda relay: self._inner.upload(path, name, description, relay), progress)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def run(
        self,
        work: Callable[[Progress | None], Coroutine[Any, Any, T]],
        progress: Progress | None = None,
    ) -> T:
        """The result of work in the event loop. `progress` is called in this thread; what it raises cancels the work."""
        events: queue.SimpleQueue[tuple[str, int, int] | None] = queue.SimpleQueue()
        relay = None if progress is None else lambda *event: events.put(event)
        future = asyncio.run_coroutine_threadsafe(work(relay), self._loop)
        future.add_done_callback(lambda _: events.put(None))
        try:
            while (event := events.get()) is not None:
                if progress is not None:
                    progress(*event)
            return future.result()
        except BaseException:
            future.cancel()
            raise
