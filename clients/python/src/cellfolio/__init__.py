"""Client of Cellfolio: datasets, figures and analyses of single-cell RNA data."""

from ._async.client import AsyncCellfolio
from ._async.dataset import AsyncDataset
from ._async.result import AsyncResult
from ._calls import Cells, Progress
from ._catalog import DatasetEntry
from ._figure import Figure
from ._subsets import subset
from ._sync.client import Cellfolio
from ._sync.dataset import Dataset
from ._sync.result import Result
from .errors import (
    ApiError,
    Busy,
    CellfolioError,
    ConnectionFailed,
    DatasetNotFound,
    MissingExtra,
    NotAuthorized,
    NotFound,
)

__all__ = [
    "ApiError",
    "AsyncCellfolio",
    "AsyncDataset",
    "AsyncResult",
    "Busy",
    "CellfolioError",
    "Cellfolio",
    "Cells",
    "ConnectionFailed",
    "Dataset",
    "DatasetEntry",
    "DatasetNotFound",
    "Figure",
    "MissingExtra",
    "NotAuthorized",
    "NotFound",
    "Progress",
    "Result",
    "subset",
]
