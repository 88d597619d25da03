"""A server of this checkout with the demo catalog, and clients of it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from cellfolio import AsyncCellfolio, AsyncDataset, Cellfolio, Dataset

ROOT = Path(__file__).parents[3]
DATASET = "demo-breast-triple-negative.h5ad"


@dataclass(frozen=True)
class Server:
    url: str
    email: str
    password: str
    key: str


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "DATA_DIR": str(tmp_path_factory.mktemp("server")),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "LOG_LEVEL": "fatal",
    }
    process = subprocess.Popen(
        [ROOT / "node_modules/node/bin/node", "apps/server/src/boot/main.ts"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if account := re.match(r"  professional +(\S+) +(\S+)", line):
                break
        else:
            raise RuntimeError("The server stopped before it was ready.")
        # So that the pipe never fills.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        url = f"http://127.0.0.1:{port}"
        email, password = account.groups()
        yield Server(url, email, password, personal_key(url, email, password))
    finally:
        process.terminate()
        process.wait(30)


def personal_key(url: str, email: str, password: str) -> str:
    with httpx.Client(base_url=url) as http:
        apikey = {"apikey": http.get("/config.json").json()["publishableKey"]}
        sent = {"email": email, "password": password}
        token = http.post("/auth/v1/token?grant_type=password", json=sent, headers=apikey)
        headers = {**apikey, "Authorization": f"Bearer {token.json()['access_token']}"}
        made = http.post("/rest/v1/rpc/create_api_key", json={"key_name": "tests"}, headers=headers)
        return str(made.json()[0]["key"])


@pytest.fixture(scope="session")
def cf(server: Server) -> Iterator[Cellfolio]:
    with Cellfolio(server.url, server.key) as client:
        yield client


@pytest.fixture(scope="session")
def ds(cf: Cellfolio) -> Dataset:
    return cf.open(DATASET)


@pytest.fixture
async def async_ds(server: Server) -> AsyncIterator[AsyncDataset]:
    async with AsyncCellfolio(server.url, server.key) as client:
        yield await client.open(DATASET)
