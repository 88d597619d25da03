"""The exceptions of the client. All are a `CellfolioError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class CellfolioError(Exception):
    """Anything that the client raises by itself."""


class ApiError(CellfolioError):
    """A call that the server refused.

    status: HTTP status.
    code: stable; docs/api.md lists all.
    message: says what to do.
    field: the first field of the request that is wrong; None where no single one is.
    details: as the server sent them; of wrong fields a list of `field` and `problem`.
    request_id: names the call in the log of the server; None where it sent none.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Any = None,
        request_id: str | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        self.field: str | None = None
        if isinstance(details, Sequence) and not isinstance(details, str):
            fields = [one["field"] for one in details if isinstance(one, dict) and "field" in one]
            self.field = str(fields[0]) if fields else None
        super().__init__(f"{status} {code}: {message}")

    def __reduce__(self) -> tuple[Any, ...]:
        values = (self.status, self.code, self.message, self.details, self.request_id)
        return (type(self), values)


class NotAuthorized(ApiError):
    """The key or the session is missing, wrong, out of date, or may not do this (401, 403)."""


class NotFound(ApiError):
    """There is no such dataset, gene, column or file (404)."""


class Busy(ApiError):
    """The server has no room for the call, also after the retries (429, 503)."""


class ConnectionFailed(CellfolioError):
    """The server did not answer, or the answer ended early."""


class DatasetNotFound(CellfolioError):
    """No dataset, or several, have this name."""


class MissingExtra(CellfolioError, ImportError):
    """A package that this needs is not installed."""


def api_error(
    status: int, code: str, message: str, details: Any, request_id: str | None
) -> ApiError:
    """The exception of a refusal."""
    kinds: dict[int, type[ApiError]] = {
        401: NotAuthorized,
        403: NotAuthorized,
        404: NotFound,
        429: Busy,
        503: Busy,
    }
    return kinds.get(status, ApiError)(status, code, message, details, request_id)
