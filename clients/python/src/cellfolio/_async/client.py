"""The client."""

from __future__ import annotations

import os
import uuid
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from .._calls import Progress
from .._catalog import DatasetEntry, entries, entry_called
from .._transport import AsyncTransport, Limits
from ..errors import CellfolioError
from .api import AsyncApi
from .dataset import AsyncDataset


class AsyncCellfolio:
    """A client of a Cellfolio server.

    url: its address; the environment variable CELLFOLIO_URL unless given.
    key: a personal key of the page Account; CELLFOLIO_API_KEY unless given. Keep it out of notebooks.
    retries: how often a call is made again that the server has no room for now (429, 503).
    timeout: seconds that the server may be silent for.

    api: every call of the API that a script needs.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        retries: int = 5,
        timeout: float = 900.0,
    ) -> None:
        transport = AsyncTransport(
            url or _setting("CELLFOLIO_URL", "url"),
            key or _setting("CELLFOLIO_API_KEY", "key"),
            Limits(retries, timeout),
        )
        self._take(transport)

    def _take(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.api = AsyncApi(transport, f"python-{uuid.uuid4().hex}")

    @classmethod
    async def sign_in(
        cls, url: str, email: str, password: str, *, retries: int = 5, timeout: float = 900.0
    ) -> Self:
        """A client with a session in place of a personal key. Uploads take one."""
        client = cls.__new__(cls)
        transport = AsyncTransport(url, None, Limits(retries, timeout))
        await transport.sign_in(email, password)
        client._take(transport)
        return client

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; calls that are under way are canceled."""
        await self._transport.close()

    async def datasets(self) -> list[DatasetEntry]:
        """The datasets of the catalog and of your files, by name."""
        return entries(await self.api.get_dataset_metadata(), await self.api.get_own_files())

    async def open(self, name_or_id: str) -> AsyncDataset:
        """Opens a dataset. Raises DatasetNotFound."""
        entry = entry_called(name_or_id, await self.datasets())
        return await AsyncDataset.opened(self._transport, entry.id, entry.name)

    async def upload(
        self,
        path: str | PathLike[str],
        *,
        name: str | None = None,
        description: str | None = None,
        progress: Progress | None = None,
    ) -> str:
        """Uploads a file in one of the formats of docs/formats.md. Returns its id.

        The server then inspects it, and makes a dataset of it, which `ready` waits for. Needs a session (`sign_in`) and the
        Professional plan.

        name: what you call it; its file name unless given.
        progress: in bytes.
        """
        file = Path(path)
        return await self._transport.upload(file, name or file.name, description, progress)

    async def ready(self, file_id: str, *, progress: Progress | None = None) -> AsyncDataset:
        """The dataset of a file of yours, as soon as it is there.

        Raises CellfolioError where none can be made, or where you have to decide first.

        progress: of the work on it, in percent.
        """
        while True:
            own = await self.api.get_own_files()
            file = next((one for one in own["files"] if one["file_id"] == file_id), None)
            if file is None:
                raise CellfolioError(f"file_id: there is no file {file_id} of yours.")
            dataset = file["dataset"]
            if dataset is not None and dataset["state"] == "ready":
                return await AsyncDataset.opened(self._transport, f"custom:{file_id}", file["name"])
            problem = file["problem"] or (dataset and dataset["problem"])
            if problem is not None and (dataset is None or dataset["state"] == "failed"):
                raise CellfolioError(f"{problem['code']}: {problem['message']}")
            jobs = [
                job
                for job in own["jobs"]
                if file_id in job["file_ids"] and job["state"] in {"queued", "running"}
            ]
            report = file["report"]
            if not jobs and dataset is None and report is not None:
                waits = ", ".join(report.get("waitsFor", [])) or "a file that a dataset is made of"
                raise CellfolioError(
                    f"No dataset is made of {file_id} before you decide on: {waits}. "
                    "Look at api.get_own_files(), and call api.post_files_build()."
                )
            for job in jobs:
                if progress is not None:
                    progress(job["stage"] or job["kind"], round(100 * job["progress"]), 100)
            await self._transport.sleep(1)


def _setting(name: str, field: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise ValueError(f"{field}: give it, or set {name}.")
    return value
