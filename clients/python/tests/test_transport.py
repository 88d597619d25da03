"""Refusals, retries, lost connections, and what must never be told."""

from __future__ import annotations

import io
import logging
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import numpy as np
import pytest

from cellfolio import (
    ApiError,
    Busy,
    Cellfolio,
    CellfolioError,
    ConnectionFailed,
    Dataset,
    NotAuthorized,
    subset,
)
from conftest import DATASET, Server

Reply = Callable[[BaseHTTPRequestHandler, bytes], None]


@contextmanager
def served(reply: Reply) -> Iterator[str]:
    """The address of a server that answers by `reply`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            reply(self, self.rfile.read(int(self.headers.get("content-length", 0))))

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def answer(to: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    to.send_response(status)
    for name, value in headers.items():
        to.send_header(name.replace("_", "-"), value)
    to.send_header("content-length", str(len(body)))
    to.end_headers()
    to.wfile.write(body)


def test_a_wrong_key_is_refused_and_not_shown(server: Server) -> None:
    key = "cfp_" + "s3cret" * 7 + "x"
    output = io.StringIO()
    logging.basicConfig(stream=output, level=logging.DEBUG, force=True)
    with redirect_stdout(output), Cellfolio(server.url, key) as client:
        with pytest.raises(NotAuthorized) as refused:
            client.datasets()
        print(client, client.api, repr(refused.value), refused.value.details)
    logging.basicConfig(level=logging.WARNING, force=True)
    assert refused.value.code == "invalid_api_key"
    assert "HTTP Request: GET" in output.getvalue() and "s3cret" not in output.getvalue()


def test_errors_travel_between_processes() -> None:
    error = Busy(429, "too_many_calls", "Wait.", [{"field": "genes", "problem": "x"}], "id")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.field, copy.request_id, str(copy)) == (Busy, "genes", "id", str(error))


def test_waits_as_long_as_a_full_server_says(cf: Cellfolio) -> None:
    refusal = b'{"code": "too_many_calls", "message": "Wait a second."}'
    times: list[int] = []

    def reply(to: BaseHTTPRequestHandler, _: bytes) -> None:
        times.append(len(times))
        if len(times) < 3:
            answer(to, 429 if len(times) == 1 else 503, refusal, retry_after="0")
        else:
            answer(to, 200, b'{"lists": []}')

    with served(reply) as url:
        assert Cellfolio(url, "key").api.get_gene_lists() == {"lists": []}
        assert len(times) == 3
        times.clear()
        with pytest.raises(Busy) as refused:
            Cellfolio(url, "key", retries=1).api.get_gene_lists()
        assert (len(times), refused.value.message) == (2, "Wait a second.")


def test_no_retry_where_the_server_names_no_time() -> None:
    times: list[str] = []

    def reply(to: BaseHTTPRequestHandler, _: bytes) -> None:
        times.append(to.path)
        answer(to, 503, b"<html>Bad gateway</html>")

    with served(reply) as url, pytest.raises(ApiError) as refused:
        Cellfolio(url, "key").api.get_gene_lists()
    assert (times, refused.value.code) == (["/api/gene-lists"], "unreachable")


def test_follows_no_redirect_with_the_key() -> None:
    paths: list[str] = []

    def reply(to: BaseHTTPRequestHandler, _: bytes) -> None:
        paths.append(to.path)
        answer(to, 307, b"", location="/elsewhere")

    with served(reply) as url, pytest.raises(ApiError):
        Cellfolio(url, "key").api.get_gene_lists()
    assert paths == ["/api/gene-lists"]


def test_a_server_that_is_not_there_is_named_without_the_key() -> None:
    with pytest.raises(ConnectionFailed, match="127.0.0.1:9: ConnectError") as failed:
        Cellfolio("http://127.0.0.1:9", "s3cret").api.get_gene_lists()
    assert "s3cret" not in str(failed.value)


@pytest.mark.parametrize(
    "url", ["cells.example.org", "ftp://x.org", "https://u:p@x.org", "https://x.org?a"]
)
def test_refuses_what_is_no_address_of_a_server(url: str) -> None:
    with pytest.raises(ValueError, match="^url: "):
        Cellfolio(url, "key")


def test_warns_of_an_address_without_encryption() -> None:
    with pytest.warns(UserWarning, match="not encrypted"):
        Cellfolio("http://cells.example.org", "key")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Cellfolio("https://cells.example.org", "key")


def test_needs_a_url_and_a_key(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.delenv("CELLFOLIO_API_KEY", raising=False)
    with pytest.raises(ValueError, match="^key: give it, or set CELLFOLIO_API_KEY"):
        Cellfolio(server.url)
    monkeypatch.setenv("CELLFOLIO_API_KEY", server.key)
    monkeypatch.setenv("CELLFOLIO_URL", server.url)
    assert DATASET in {entry.id for entry in Cellfolio().datasets()}


def test_a_download_goes_on_where_it_broke_off(server: Server, ds: Dataset) -> None:
    patient = subset({"patient": [ds.obs["patient"].iloc[0]]})
    ranges: list[int] = []

    def reply(to: BaseHTTPRequestHandler, sent: bytes) -> None:
        headers = {name: value for name, value in to.headers.items() if name.lower() != "host"}
        real = httpx.request(to.command, server.url + to.path, content=sent, headers=headers)
        if to.path != "/api/export-dataset":
            return answer(to, real.status_code, real.content)
        if resumed := re.search(rb'"from": (\d+)', sent):
            ranges.append(int(resumed[1]))
        to.send_response(real.status_code)
        for name in ("etag", "content-length"):
            to.send_header(name, real.headers[name])
        to.end_headers()
        # Twice a part alone.
        whole = len(ranges) == 2
        to.wfile.write(real.content if whole else real.content[: len(real.content) // 3])
        to.close_connection = True

    with served(reply) as url:
        parts = Cellfolio(url, server.key).open(DATASET).to_anndata(cells=patient)
    whole = ds.to_anndata(cells=patient)
    assert len(ranges) == 2 and 0 < ranges[0] < ranges[1]
    assert np.array_equal(parts.X.data, whole.X.data) and parts.obs.equals(whole.obs)


def test_uploads_a_file_with_a_session_and_opens_its_dataset(
    server: Server, cf: Cellfolio, ds: Dataset, tmp_path: Path
) -> None:
    path = tmp_path / "über #1.h5ad"
    patient = subset({"patient": [ds.obs["patient"].iloc[0]]})
    expected = ds.to_anndata(cells=patient, path=path)
    with pytest.raises(NotAuthorized, match="Sign in") as refused:
        cf.upload(path)
    assert refused.value.code == "session_required"
    sent: list[tuple[str, int, int]] = []
    with Cellfolio.sign_in(server.url, server.email, server.password) as client:
        file = client.upload(path, name="One patient", progress=lambda *event: sent.append(event))
        size = path.stat().st_size
        assert [done for _, done, _ in sent] == [*range(0, size, 6 * 1024 * 1024), size]
        mine = client.ready(file)
        assert (mine.name, mine.shape) == ("One patient", expected.shape)
        assert np.array_equal(mine.gene("CD3E"), expected[:, "CD3E"].X.toarray().ravel())
        states = {entry.id: entry.state for entry in cf.datasets() if entry.is_own}
        assert states[mine.id] == "ready"
        table = tmp_path / "barcodes.tsv"
        table.write_text("".join(f"{barcode}\n" for barcode in expected.obs_names))
        with pytest.raises(CellfolioError, match="No dataset is made"):
            client.ready(client.upload(table))
        with pytest.raises(CellfolioError, match="is empty"):
            (tmp_path / "none.h5ad").touch()
            client.upload(tmp_path / "none.h5ad")
        (tmp_path / "virus.exe").write_text("x")
        with pytest.raises(ApiError):
            client.upload(tmp_path / "virus.exe")


def test_a_wrong_password_is_refused(server: Server) -> None:
    with pytest.raises(ApiError) as refused:
        Cellfolio.sign_in(server.url, server.email, "wrong")
    assert refused.value.code == "invalid_credentials"
