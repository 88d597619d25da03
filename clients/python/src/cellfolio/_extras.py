"""Packages that come with extras: imported when they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from .errors import MissingExtra


def extra(module: str, name: str) -> ModuleType:
    """The module, which the extra `name` installs. Raises MissingExtra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"This needs {error.name or module}: pip install 'cellfolio[{name}]'"
        raise MissingExtra(message) from error
