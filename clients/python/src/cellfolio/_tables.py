"""Tables as data frames."""

from __future__ import annotations

import io
import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from ._extras import extra

if TYPE_CHECKING:
    import pandas as pd

_ESCAPED = re.compile(r"^'(?=[=+\-@\t\r\n＝＋－＠])")
"""An apostrophe that keeps a spreadsheet from running a text as a formula."""


def from_csv(text: str, texts: Collection[str]) -> pd.DataFrame:
    """The table below the comment lines of a CSV file. `texts`: columns that are read as texts."""
    pandas = extra("pandas", "pandas")
    body = re.sub(r"\A(?:#[^\n]*\n)+", "", text)
    # Names such as NA and None are names; a missing number is empty.
    table: pd.DataFrame = pandas.read_csv(
        io.StringIO(body),
        dtype={name: str for name in texts},
        keep_default_na=False,
        na_values={
            name: [] if name in texts else [""] for name in body.partition("\n")[0].split(",")
        },
    )
    for name in texts:
        if name in table:
            table[name] = table[name].str.replace(_ESCAPED, "", regex=True)
    return table


def from_parquet(content: bytes, categories: Collection[str]) -> pd.DataFrame:
    """The table of a Parquet file, with `categories` as categorical columns and the first column as its index."""
    parquet = extra("pyarrow.parquet", "pandas")
    table = parquet.read_table(io.BytesIO(content), read_dictionary=sorted(categories))
    frame: pd.DataFrame = table.to_pandas()
    return frame.set_index(frame.columns[0])
