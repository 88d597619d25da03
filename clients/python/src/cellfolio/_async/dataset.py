"""An open dataset."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from .._calls import OMIT, Analysis, Call, Cells, Progress
from .._extras import extra
from .._figure import Figure, FigureFormat
from .._html import caution_list, caution_text
from .._maps import area, column, encode_cells, map_order
from .._tables import from_parquet
from .._transport import AsyncTransport
from ..errors import CellfolioError
from ..types import Caution, DatasetAnalysis, FigureSourceInput, MapColumnList, SelectedCellsInput
from .analyses import AsyncAnalyses
from .api import AsyncApi
from .result import AsyncResult

if TYPE_CHECKING:
    import anndata
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ..widget import CellMap


class AsyncDataset(AsyncAnalyses):
    """An open dataset. Rows of tables and arrays are its cells, in the order of its file.

    api: the calls of the API, in a session in which this dataset is open.
    info: what the server says of it: cell types, clusters, genes, species, how it was processed.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        api: AsyncApi,
        session: str,
        name: str,
        info: DatasetAnalysis,
    ) -> None:
        self.name = name
        self.info = info
        self.api = api
        self.obs = AsyncObs(self)
        self._transport = transport
        self._session = session
        self._columns: MapColumnList | None = None
        self._order: npt.NDArray[np.int64] | None = None

    @classmethod
    async def opened(cls, transport: AsyncTransport, id: str, name: str) -> AsyncDataset:
        """Opens a dataset in a session of its own."""
        session = f"python-{uuid.uuid4().hex}"
        api = AsyncApi(transport, session)
        return cls(transport, api, session, name, await api.get_dataset_analysis(id))

    @property
    def id(self) -> str:
        return self.info["dataset_filename"]

    @property
    def version(self) -> str:
        """Changes when any value of the dataset does."""
        return self.info["version"]

    @property
    def cautions(self) -> list[Caution]:
        """What was odd about its file."""
        return self.info["warnings"]

    @property
    def shape(self) -> tuple[int, int]:
        """Cells and genes."""
        return self.info["cell_count"], self.info["gene_count"]

    def _summary(self) -> str:
        return f"{self.name}: {self.shape[0]:,} cells × {self.shape[1]:,} genes"

    def __repr__(self) -> str:
        return caution_text(self._summary(), self.cautions)

    def _repr_html_(self) -> str:
        return caution_list(self._summary(), self.cautions)

    async def columns(self) -> MapColumnList:
        """Its columns of obs, proteins and embeddings."""
        if self._columns is None:
            self._columns = await self.api.get_datasets_columns(self.id, version=self.version)
        return self._columns

    async def gene(self, name: str, *, cells: Cells | None = None) -> npt.NDArray[np.float32]:
        """The expression of a gene, log-normalized as it is explored: a float32 for each cell."""
        table = await self.genes([name], cells=cells)
        values: npt.NDArray[np.float32] = table.iloc[:, 0].to_numpy()
        return values

    async def genes(self, names: Sequence[str], *, cells: Cells | None = None) -> pd.DataFrame:
        """The expression of genes, a float32 column each, by barcode."""
        if isinstance(names, str):
            raise TypeError("names: give a list of genes; gene() takes one.")
        limit = int((await self._transport.config())["limits"]["genesPerCall"])
        parts = [
            await self._exported(cells, genes=names[at : at + limit])
            for at in range(0, len(names), limit)
        ]
        table: pd.DataFrame = extra("pandas", "pandas").concat(parts, axis=1)
        return table

    async def embedding(self, name: str | None = None) -> npt.NDArray[np.floating[Any]]:
        """Coordinates of each cell, cells × dimensions; NaN for a cell that has none.

        name: such as `X_umap` or `X_pca`; the embedding of the figures unless given.

        Of that one they are the float32 that are stored, of others within a millionth of its extent.
        """
        numpy = extra("numpy", "pandas")
        columns = await self.columns()
        default = columns.get("default_embedding")
        if name is None and default is None:
            raise CellfolioError(f"{self._summary()}: there is no embedding.")
        if name is None or name == default:
            table = await self._exported(None, coordinates=True)
            exact: npt.NDArray[np.floating[Any]] = table.to_numpy()
            return exact
        sizes = {each["name"]: each["dimensions"] for each in columns["embeddings"]}
        if name not in sizes:
            raise CellfolioError(f"name: {name!r} is no embedding. There are: {', '.join(sizes)}")
        order = await self.map_order()
        values = numpy.full((len(order), sizes[name]), numpy.nan)
        for first in range(0, sizes[name], 2):
            pair = [first, min(first + 1, sizes[name] - 1)]
            await self._read_axes(name, pair, order, values)
        coordinates: npt.NDArray[np.floating[Any]] = values
        return coordinates

    async def _read_axes(
        self,
        name: str,
        axes: Sequence[int],
        order: npt.NDArray[np.int64],
        values: npt.NDArray[np.floating[Any]],
    ) -> None:
        """Reads two axes of an embedding into `values`: the grid of all cells, then where each is on it."""
        text = ",".join(str(axis) for axis in axes)
        grid = column(
            await self.api.get_datasets_columns_embedding(
                self.id, name, axes=text, version=self.version
            )
        ).header
        content = await self.api.get_datasets_columns_embedding(
            self.id, name, axes=text, square="0,0,65536", version=self.version
        )
        places, positions = area(content)
        for side, axis in enumerate(axes):
            values[order[places], axis] = grid["origin"][side] + grid["step"] * positions[:, side]

    async def map_order(self) -> npt.NDArray[np.int64]:
        """Row of the cell at each place of the map order, which maps and selections go by."""
        if self._order is None:
            if (await self.columns()).get("default_embedding") is None:
                self._order = extra("numpy", "pandas").arange(self.shape[0])
            else:
                self._order = map_order(await self.embedding())
        return self._order

    async def select(self, rows: npt.ArrayLike, *, name: str = "Selection") -> Cells:
        """The filter of cells by their rows: indices, or a boolean for each cell."""
        numpy = extra("numpy", "pandas")
        chosen = numpy.zeros(self.shape[0], dtype=bool)
        chosen[numpy.asarray(rows)] = True
        places = encode_cells(chosen[await self.map_order()])
        selected: SelectedCellsInput = {"version": self.version, "places": places}
        return {"subset_group_name": name, "cells_filter": True, "cells": selected}

    async def map(self, color: str | None = None, *, embedding: str | None = None) -> CellMap:
        """A live map for notebooks, whose `selected` are the rows of the cells within the lasso.

        color: a column of obs, or a gene; the cell types or the clusters unless given.
        embedding: that of the figures unless given.
        """
        module = extra("cellfolio.widget", "jupyter")
        columns = self.info["columns"]
        name = color or columns.get("cell_types") or columns.get("leiden_clusters")
        if name is None:
            raise ValueError("color: give a column of obs or a gene; there are no cell types.")
        coordinates = await self.embedding(embedding)
        listed = {each["name"]: each["title"] for each in (await self.columns())["obs"]}
        is_gene = name not in listed
        values = (await self.genes([name])).iloc[:, 0] if is_gene else await self.obs[name]
        colors: list[str] = []
        if values.dtype == "category":
            categories = await self._categories(name)
            colors = [color for _, _, color in categories]
            values = values.cat.rename_categories({stored: label for stored, label, _ in categories})
        made: CellMap = module.CellMap(
            coordinates,
            values,
            title=f"{listed.get(name, name)} · {self.name}",
            colors=colors,
            is_gene=is_gene,
        )
        return made

    async def figure(
        self,
        content: Mapping[str, Any],
        format: FigureFormat = "svg",
        *,
        cells: Cells | None = None,
    ) -> Figure:
        """A figure, such as `{"kind": "gene-umap", "gene": "CD3E"}`; docs/api.md lists the kinds."""
        source: FigureSourceInput = {
            "dataset_filename": self.id,
            "version": self.version,
            "content": content,
        }
        if cells is not None:
            source["subset"] = cells
        return Figure(await self.api.post_render_figure(source=source, format=format), format)

    async def to_anndata(
        self,
        *,
        cells: Cells | None = None,
        genes: Sequence[str] | None = None,
        counts: bool = True,
        annotations: bool = True,
        path: str | PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> anndata.AnnData:
        """The dataset as AnnData.

        cells: a filter; all cells unless given.
        genes: reads these genes alone, with the columns of obs and the embedding of the figures.
        counts: raw counts as `layers["counts"]`, where the dataset has them; not with `genes`.
        annotations: your annotations as columns of obs.
        path: keeps the file there; one that is there is not replaced.
        progress: of the download, in bytes.
        """
        if genes is not None:
            if path is not None:
                raise ValueError("path: a file is written without `genes` alone.")
            return await self._of_genes(genes, cells)
        reader = extra("anndata", "anndata")
        body = {
            "counts": counts,
            "annotations": annotations,
            "cells": {} if cells is None else {"subset": cells},
        }
        call = Call("POST", "/api/export-dataset", body=body, session=self._session)
        if path is not None and Path(path).exists():
            raise FileExistsError(f"path: there is a file {path}")
        beside = None if path is None else Path(path).parent
        with tempfile.TemporaryDirectory(prefix="cellfolio-", dir=beside) as folder:
            file = Path(folder) / "dataset.h5ad"
            await self._transport.download(call, file, progress)
            adata: anndata.AnnData = reader.read_h5ad(file)
            if path is not None:
                file.replace(path)
        return adata

    async def _of_genes(self, genes: Sequence[str], cells: Cells | None) -> anndata.AnnData:
        reader = extra("anndata", "anndata")
        expression = await self.genes(genes, cells=cells)
        values = extra("scipy.sparse", "anndata").csr_matrix(expression.to_numpy(dtype="float32"))
        adata: anndata.AnnData = reader.AnnData(
            values,
            obs=await self._exported(cells, metadata=True),
            var=extra("pandas", "pandas").DataFrame(index=expression.columns),
        )
        default = (await self.columns()).get("default_embedding")
        if default is not None:
            adata.obsm[default] = (await self._exported(cells, coordinates=True)).to_numpy()
        return adata

    async def _exported(
        self,
        cells: Cells | None,
        *,
        columns: Sequence[str] | None = None,
        genes: Sequence[str] = (),
        metadata: bool = False,
        coordinates: bool = False,
    ) -> pd.DataFrame:
        """A table of cells by barcode, exactly as stored."""
        content = await self.api.post_export_cells(
            cells={} if cells is None else {"subset": cells},
            columns=columns,
            coordinates=coordinates,
            format="parquet",
            genes=genes,
            metadata=metadata,
        )
        listed = (await self.columns())["obs"]
        table = from_parquet(
            content, {each["name"] for each in listed if each["kind"] == "categories"}
        )
        for name in table.select_dtypes("category").columns:
            order = [stored for stored, _, _ in await self._categories(name)]
            table[name] = table[name].cat.set_categories(order)
        return table

    async def _categories(self, column: str) -> list[tuple[str, str, str]]:
        """Name, label and color of the categories of a column, or of the groups of an own annotation."""
        listed = (await self.columns())["obs"]
        if any(each["name"] == column and each.get("own") for each in listed):
            own = (await self.api.get_datasets_annotations(self.id))["annotations"]
            groups = next(each["groups"] for each in own if each["name"] == column)
            return [(group["name"], group["name"], group["colour"]) for group in groups]
        shown = await self.api.get_datasets_category_displays_column(self.id, column)
        return [(each["name"], each["label"], each["colour"]) for each in shown["categories"]]

    async def _analyze(
        self,
        analysis: Analysis,
        request: Mapping[str, Any],
        cells: Cells | None,
        progress: Progress | None,
    ) -> AsyncResult[Any]:
        body = {
            **request,
            "dataset": {"filename": self.id, "version": self.version},
            "cells": OMIT if cells is None else {"subset": cells},
        }
        call = Call("POST", analysis.path, body=body, session=self._session)
        answer = await self._transport.send(call, progress)
        return AsyncResult(self.api, analysis, self.name, answer.json())


class AsyncObs:
    """The columns of obs: `obs["leiden"]` is a series, `obs[["leiden", "patient"]]` a data frame, by barcode."""

    def __init__(self, dataset: AsyncDataset) -> None:
        self._dataset = dataset

    @overload
    async def __getitem__(self, columns: str) -> pd.Series[Any]: ...
    @overload
    async def __getitem__(self, columns: list[str]) -> pd.DataFrame: ...
    async def __getitem__(self, columns: str | list[str]) -> pd.Series[Any] | pd.DataFrame:
        names = [columns] if isinstance(columns, str) else columns
        table = await self._dataset._exported(None, columns=names)
        return table[columns]

    async def all(self, *, cells: Cells | None = None) -> pd.DataFrame:
        """All columns, your annotations among them."""
        return await self._dataset._exported(cells, metadata=True)

    def __repr__(self) -> str:
        return f"Columns of obs of {self._dataset.name}: obs[[...]] reads some, obs.all() all."
