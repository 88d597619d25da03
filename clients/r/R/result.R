# An apostrophe that keeps a spreadsheet from running a text as a formula.
formula_guard <- "^'(?=[=+\\-@\\t\\r\\n\\x{ff1d}\\x{ff0b}\\x{ff0d}\\x{ff20}])"

# Runs an analysis, and warns of its cautions.
analyze <- function(dataset, analysis, fields, cells) {
  check_dataset(dataset)
  declared <- analyses[[analysis]]
  body <- c(
    Filter(Negate(is.null), fields),
    list(dataset = list(filename = dataset$id, version = dataset$version)),
    if (!is.null(cells)) list(cells = list(subset = cells))
  )
  answer <- from_json(dataset_call(dataset, "POST", declared$path, body = body))
  csv <- answer[[paste0(declared$table, "_csv")]]
  table <- with_text_file(csv, function(file) read_table(file, declared$texts))
  attr(table, "title") <- paste(declared$title, "of", dataset$name)
  attr(table, "cautions") <- remarks(answer$warnings, c("code", "message"))
  attr(table, "facts") <- remarks(answer$facts, c("code", "title", "message"))
  attr(table, "made") <- attr(table, "head")
  attr(table, "head") <- NULL
  attr(table, "source") <- answer$source
  if (!is.null(answer$cells_csv)) {
    per_cell <- with_text_file(answer$cells_csv, function(file) read_table(file, "barcode"))
    attr(table, "cells") <- per_cell
  }
  warn_of(answer$warnings)
  table
}

warn_of <- function(cautions) {
  for (caution in cautions) {
    warning(structure(
      class = c("cellfolio_caution", "warning", "condition"),
      list(message = paste("Caution:", printable(caution$message)), call = NULL, code = caution$code)
    ))
  }
}

remarks <- function(listed, columns) {
  values <- lapply(columns, function(name) vapply(listed, function(one) one[[name]] %||% "", ""))
  as.data.frame(stats::setNames(values, columns), stringsAsFactors = FALSE)
}

with_text_file <- function(text, read) {
  file <- tempfile("cellfolio-", fileext = ".csv")
  on.exit(unlink(file))
  writeBin(charToRaw(enc2utf8(text)), file)
  read(file)
}

# The table of a CSV file of the server; attribute `head`: the comment lines above it. `texts`: columns of texts; others
# are numbers or logical where all of their values are.
read_table <- function(file, texts) {
  first <- readLines(file, n = 1000, encoding = "UTF-8", warn = FALSE)
  rows_of_head <- match(FALSE, startsWith(first, "#"), nomatch = length(first) + 1) - 1
  table <- utils::read.table(file,
    header = TRUE, sep = ",", quote = "\"", skip = rows_of_head, comment.char = "", encoding = "UTF-8",
    check.names = FALSE, colClasses = "character", na.strings = character(), row.names = NULL
  )
  names(table) <- unguarded(names(table))
  for (at in seq_along(table)) {
    is_of_texts <- names(table)[[at]] %in% texts
    table[[at]] <- if (is_of_texts) unguarded(table[[at]]) else typed(table[[at]])
  }
  attr(table, "head") <- sub("^# ?", "", first[seq_len(rows_of_head)])
  table
}

unguarded <- function(texts) {
  texts <- enc2utf8(texts)
  sub(paste0("(*UTF8)", formula_guard), "", texts, perl = TRUE)
}

typed <- function(values) {
  numbers <- suppressWarnings(as.numeric(values))
  if (all(!is.na(numbers) | values %in% c("", "NaN"))) {
    return(numbers)
  }
  if (all(values %in% c("true", "false", ""))) {
    return(ifelse(values == "", NA, values == "true"))
  }
  unguarded(values)
}
