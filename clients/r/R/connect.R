# Keys by the id of their connection: no connection, dataset or result holds a key, also not in a file of saveRDS().
keys <- new.env(parent = emptyenv())

# A server that asks for a longer wait is not waited for.
max_wait_seconds <- 120
loopback <- c("localhost", "127.0.0.1", "[::1]")

#' Connect to a Server
#'
#' Connects to a Cellfolio server with a personal key of its account page. The
#' key is sent to this server alone: redirects are not followed, and neither
#' printed text nor errors nor saved objects have it.
#'
#' @param url Address of the server.
#' @param key A personal key. Set it in the environment, and keep it out of
#'   scripts. Opening datasets takes the scope `read`, analyses and figures
#'   `analyse`, [cf_cells()] and [cf_expression()] `export`.
#' @param retries How often a call is made again that the server has no room
#'   for now (429, 503), after the seconds that the server names.
#' @param timeout Seconds that the server may be silent for.
#' @return A connection, for [cf_datasets()] and [cf_open()].
#' @export
cellfolio_connect <- function(url = Sys.getenv("CELLFOLIO_URL"),
                              key = Sys.getenv("CELLFOLIO_API_KEY"),
                              retries = 5,
                              timeout = 900) {
  url <- checked_url(url)
  if (!is_text(key)) {
    fail("invalid_key", "key: set CELLFOLIO_API_KEY to a personal key of the account page.")
  }
  # Not of the random numbers of the user.
  id <- basename(tempfile("r-"))
  assign(id, key, envir = keys)
  structure(list(url = url, id = id, retries = retries, timeout = timeout), class = "cellfolio_connection")
}

#' @export
print.cellfolio_connection <- function(x, ...) {
  cat("<cellfolio connection> ", x$url, "\n", sep = "")
  invisible(x)
}

is_text <- function(value) is.character(value) && length(value) == 1 && !is.na(value) && nzchar(value)

checked_url <- function(url) {
  pattern <- "^(https?)://(\\[[0-9a-fA-F:]+\\]|[^][/?#@:[:space:]]+)(:[0-9]+)?(/[^?#@[:space:]]*)?$"
  if (!is_text(url) || !grepl(pattern, url)) {
    fail("invalid_url", paste(
      "url: give the address of the server, such as https://cells.example.org,",
      "without a user, a query and a fragment, or set CELLFOLIO_URL."
    ))
  }
  if (sub(pattern, "\\1", url) == "http" && !sub(pattern, "\\2", url) %in% loopback) {
    warning(url, " is not encrypted: others may read your key.", call. = FALSE)
  }
  sub("/+$", "", url)
}

# Raises a condition of class cellfolio_error. `status` is NA where no answer of the server is the reason.
fail <- function(code, message, status = NA_integer_, details = NULL) {
  field <- if (is.list(details) && length(details) > 0 && is.list(details[[1]])) details[[1]]$field
  stop(structure(
    class = c("cellfolio_error", "error", "condition"),
    list(
      message = printable(message), call = NULL, code = code, status = status, field = field,
      details = details
    )
  ))
}

printable <- function(text) gsub("[[:cntrl:]]", "?", text)

# The answer of a call as httr2 has it. `path`: a file that its body is written to.
send <- function(connection, method, route, query = list(), body = NULL, session = connection$id,
                 path = NULL) {
  request <- request_of(connection, method, route, query, body, session)
  for (retries_left in seq(connection$retries, 0)) {
    response <- tryCatch(
      httr2::req_perform(request, path = path),
      # The error of httr2 has the request, and so the key.
      error = function(failure) {
        if (grepl("callback", conditionMessage(failure$parent %||% failure), fixed = TRUE)) interrupt()
        reasons <- c(conditionMessage(failure), conditionMessage(failure$parent %||% failure))
        fail("connection_failed", paste0(connection$url, ": ", paste(unique(reasons), collapse = " ")))
      }
    )
    if (httr2::resp_status(response) < 300) {
      return(response)
    }
    wait <- wait_seconds(response)
    if (is.na(wait) || wait > max_wait_seconds || retries_left == 0) refuse(response)
    Sys.sleep(wait)
  }
}

# Goes on with an interrupt, of which curl makes an error: the callback that it names is the check for interrupts.
interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

`%||%` <- function(value, other) if (is.null(value)) other else value

request_of <- function(connection, method, route, query, body, session) {
  key <- get0(connection$id, envir = keys, inherits = FALSE)
  if (is.null(key)) {
    fail("not_connected", "This connection is of another R session: call cellfolio_connect() and cf_open() again.")
  }
  request <- httr2::request(paste0(connection$url, route))
  request <- httr2::req_url_query(request, !!!query)
  request <- httr2::req_method(request, method)
  request <- httr2::req_headers(request, `X-API-Key` = key, `X-Session-Id` = session)
  request <- httr2::req_user_agent(request, "cellfolio-r")
  # Not followed, so that a key never leaves the server that it is for.
  request <- httr2::req_options(request,
    followlocation = 0L, connecttimeout = 20, low_speed_limit = 1, low_speed_time = connection$timeout
  )
  request <- httr2::req_error(request, is_error = function(response) FALSE)
  # send() retries: httr2 would also make a call again whose connection failed, and wait after the last one.
  request <- httr2::req_retry(request,
    max_tries = 1, is_transient = function(response) FALSE, backoff = function(tries) 0
  )
  if (is.null(body)) {
    return(request)
  }
  httr2::req_body_raw(request, charToRaw(enc2utf8(as_json(body))), "application/json")
}

# Seconds after which to try again; NA where the server does not say so.
wait_seconds <- function(response) {
  if (!httr2::resp_status(response) %in% c(429, 503)) {
    return(NA_real_)
  }
  seconds <- tryCatch(httr2::resp_retry_after(response), error = function(failure) NA_real_)
  if (is.na(seconds)) NA_real_ else max(0, as.numeric(seconds))
}

# Raises the error of a refusal, also of a proxy before the server.
refuse <- function(response) {
  status <- httr2::resp_status(response)
  body <- tryCatch(from_json(response), error = function(failure) NULL)
  text <- function(name) if (is.list(body) && is_text(body[[name]])) body[[name]]
  code <- text("error_code") %||% text("code") %||% "unreachable"
  message <- text("message") %||% text("msg") %||% text("error") %||%
    paste0("The server answered with the status ", status, ".")
  fail(code, paste0(status, " ", code, ": ", message), status, body$details)
}

from_json <- function(response) {
  text <- rawToChar(httr2::resp_body_raw(response))
  Encoding(text) <- "UTF-8"
  jsonlite::fromJSON(text, simplifyVector = FALSE)
}

as_json <- function(body) {
  jsonlite::toJSON(boxed(body), auto_unbox = TRUE, null = "null", na = "null", digits = NA)
}

# Lists where the API takes arrays, so that vectors of one value are arrays too.
boxed <- function(value, is_array = FALSE, is_map = FALSE) {
  if (is.factor(value)) value <- as.character(value)
  if (!is.list(value)) {
    return(if (is_array) as.list(unname(value)) else value)
  }
  names <- names(value) %||% rep("", length(value))
  fields <- lapply(seq_along(value), function(at) {
    boxed(value[[at]], is_map || names[[at]] %in% array_fields, names[[at]] %in% array_maps)
  })
  if (is.null(names(value))) fields else stats::setNames(fields, names)
}

segment <- function(text) utils::URLencode(enc2utf8(text), reserved = TRUE)

empty_object <- function() stats::setNames(list(), character())
