"""Uploads by the tus protocol, in chunks: what arrived survives a lost connection."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from ._calls import Progress
from ._transport import AsyncTransport
from .errors import ApiError, CellfolioError, ConnectionFailed

_CHUNK = 6 * 1024 * 1024
_BUCKET = "user-files"
_TUS = {"Tus-Resumable": "1.0.0"}
_ENDPOINT = "/storage/v1/upload/resumable"
_MAX_FAILURES = 8
"""Of a chunk, one after the other."""


async def upload_file(
    transport: AsyncTransport,
    path: Path,
    name: str,
    description: str | None,
    progress: Progress | None,
) -> str:
    """Uploads a file and lists it among those of the user. Returns its id. Raises CellfolioError, OSError."""
    size = path.stat().st_size
    if size == 0:
        raise CellfolioError(f"{path.name} is empty.")
    user_id = await transport.user_id()
    safe = "".join(
        each if each.isascii() and (each.isalnum() or each in "-._") else "_" for each in path.name
    )
    stored = f"{user_id}/{time.time_ns() // 1_000_000}_{safe[-150:]}"
    address = await _begun(transport, stored, size)
    await _sent(transport, address, path, size, progress)
    row = {
        "user_id": user_id,
        "file_name": name,
        "original_filename": path.name,
        "description": description,
        "file_size": size,
        "mime_type": "application/octet-stream",
        "file_path": stored,
    }
    headers = {"Content-Type": "application/json", "Prefer": "return=representation"}
    try:
        answer = await transport.as_user(
            "POST", "/rest/v1/user_files?select=id", json.dumps(row).encode(), headers
        )
    except ApiError:
        # They would take room that no list of files shows.
        with suppress(CellfolioError):
            await transport.as_user("DELETE", f"/storage/v1/object/{_BUCKET}/{quote(stored)}")
        raise
    rows: list[dict[str, Any]] = answer.json()
    return str(rows[0]["id"])


async def _begun(transport: AsyncTransport, stored: str, size: int) -> str:
    """Announces an upload. Returns the path that its bytes go to."""
    described = {
        "bucketName": _BUCKET,
        "objectName": stored,
        "contentType": "application/octet-stream",
        "cacheControl": "3600",
    }
    metadata = ",".join(
        f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in described.items()
    )
    headers = {**_TUS, "Upload-Length": str(size), "Upload-Metadata": metadata}
    answer = await transport.as_user("POST", _ENDPOINT, b"", headers)
    # Only its last part is taken: a token goes to the server that it is of, and to uploads alone.
    _, _, place = urlsplit(answer.headers["location"]).path.rpartition(f"{_ENDPOINT}/")
    return f"{_ENDPOINT}/{quote(place, safe='')}"


async def _sent(
    transport: AsyncTransport, address: str, path: Path, size: int, progress: Progress | None
) -> None:
    offset, failures, must_ask = 0, 0, False
    with path.open("rb") as file:
        while offset < size:
            if progress is not None:
                progress("Uploading", offset, size)
            file.seek(offset)
            chunk = file.read(_CHUNK)
            if not chunk:
                raise CellfolioError(f"{path.name} became shorter while it was uploaded.")
            headers = {
                **_TUS,
                "Upload-Offset": str(offset),
                "Content-Type": "application/offset+octet-stream",
            }
            try:
                # After a failure it is not certain how much of the chunk arrived.
                answer = (
                    await transport.as_user("HEAD", address, None, _TUS)
                    if must_ask
                    else await transport.as_user("PATCH", address, chunk, headers)
                )
                arrived = int(answer.headers["upload-offset"])
                failures = 0 if arrived > offset else failures
                offset, must_ask = arrived, False
            except (ConnectionFailed, ApiError) as failure:
                failures, must_ask = failures + 1, True
                if failures > _MAX_FAILURES or not _may_pass(failure):
                    raise
                await asyncio.sleep(min(30, 2 ** (failures - 1)))
    if progress is not None:
        progress("Uploading", size, size)


def _may_pass(failure: CellfolioError) -> bool:
    """Whether a chunk may be sent again."""
    return not isinstance(failure, ApiError) or failure.status in {409, 423, 502, 503, 504}
