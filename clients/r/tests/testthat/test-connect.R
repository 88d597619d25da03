get_from <- function(path, retries = 2, timeout = 900) {
  skip_without_server()
  connection <- cellfolio_connect(Sys.getenv("CELLFOLIO_REFUSING_URL"), "cfp_secret", retries, timeout)
  send(connection, "GET", path)
}
requests_of <- function(path) from_json(get_from("/requests"))[[path]]

test_that("an address with a user, a query or another scheme is refused", {
  for (url in c("", "cells.example.org", "ftp://a.b", "https://me:secret@a.b", "https://a.b?x=1", "https://a.b#x")) {
    failure <- expect_error(cellfolio_connect(url, "cfp_secret"), class = "cellfolio_error")
    expect_equal(failure$code, "invalid_url")
    expect_false(grepl("secret", conditionMessage(failure)))
  }
  expect_error(cellfolio_connect("https://a.b", ""), "CELLFOLIO_API_KEY", class = "cellfolio_error")
})

test_that("an address without encryption is warned of, but for this machine", {
  expect_warning(cellfolio_connect("http://cells.example.org", "cfp_secret"), "not encrypted")
  expect_silent(cellfolio_connect("http://127.0.0.1:8000/", "cfp_secret"))
})

test_that("a key is in no text, no file and no error of a connection", {
  connection <- cellfolio_connect("http://127.0.0.1:1", "cfp_secret")
  file <- tempfile()
  saveRDS(connection, file, compress = FALSE)
  failure <- expect_error(send(connection, "GET", "/"), class = "cellfolio_error")
  expect_equal(failure$code, "connection_failed")
  shown <- c(
    capture.output(print(connection), str(connection), dput(connection), str(failure)),
    rawToChar(Filter(as.logical, readBin(file, "raw", 1e5)))
  )
  expect_false(any(grepl("secret", shown)))
})

test_that("a connection of another R session says what to do", {
  connection <- cellfolio_connect("http://127.0.0.1:1", "cfp_secret")
  connection$id <- "r-another"
  expect_error(send(connection, "GET", "/"), "call cellfolio_connect\\(\\)", class = "cellfolio_error")
})

test_that("a call is made again after the seconds that the server names, and only as often as it may be", {
  began <- Sys.time()
  expect_equal(from_json(get_from("/busy-once")), list(done = TRUE))
  expect_gte(as.numeric(Sys.time() - began, units = "secs"), 1)
  failure <- expect_error(get_from("/busy", retries = 2), class = "cellfolio_error")
  expect_equal(list(failure$status, failure$code), list(503L, "busy"))
  expect_equal(requests_of("/busy"), 3)
  expect_error(get_from("/busy-for-long"), class = "cellfolio_error")
  expect_equal(requests_of("/busy-for-long"), 1)
})

test_that("a redirect is not followed", {
  expect_equal(expect_error(get_from("/moved"), class = "cellfolio_error")$status, 302L)
  expect_null(requests_of("/elsewhere"))
})

test_that("an answer that ends early, a silent server and a proxy are errors after one request", {
  expect_equal(expect_error(get_from("/ends-early"), class = "cellfolio_error")$code, "connection_failed")
  expect_equal(requests_of("/ends-early"), 1)
  failure <- expect_error(get_from("/silent", timeout = 1), class = "cellfolio_error")
  expect_equal(failure$code, "connection_failed")
  expect_equal(expect_error(get_from("/proxy"), class = "cellfolio_error")$code, "unreachable")
})

test_that("vectors of one value are arrays where the API takes arrays", {
  body <- list(
    a = list(filter = cf_subset(list(patient = factor("P1"), `=x` = 3))), genes = "CD3E", method = "t-test",
    values = numeric(), cells = empty_object(), order = NULL
  )
  sent <- jsonlite::fromJSON(as_json(body), simplifyVector = FALSE)
  expect_equal(sent$a$filter$patient_metadata, list(patient = list("P1"), `=x` = list("3")))
  expect_equal(sent[c("genes", "method")], list(genes = list("CD3E"), method = "t-test"))
  expect_match(as_json(body), '"values":[],"cells":{},"order":null', fixed = TRUE)
})

test_that("an interrupt ends a call and its connection, and is no error", {
  skip_without_server()
  file <- tempfile()
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "library(cellfolio)",
    "connection <- cellfolio_connect(Sys.getenv('CELLFOLIO_REFUSING_URL'), 'cfp_secret')",
    sprintf("writeLines(as.character(Sys.getpid()), '%s')", file),
    "tryCatch(cellfolio:::send(connection, 'GET', '/waits'),",
    sprintf("  interrupt = function(cnd) writeLines('interrupted', '%s'))", file)
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), script, wait = FALSE)
  wait_for <- function(is_there) for (tenth in 1:600) if (!is_there()) Sys.sleep(0.1)
  wait_for(function() !is.null(requests_of("/waits")))
  tools::pskill(as.integer(readLines(file)), tools::SIGINT)
  wait_for(function() !is.null(requests_of("/waits closed")))
  wait_for(function() identical(readLines(file), "interrupted"))
  expect_equal(readLines(file), "interrupted")
  expect_equal(requests_of("/waits closed"), 1)
})
