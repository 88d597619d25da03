#' List the Datasets
#'
#' Lists the datasets of the catalog and those of your files.
#'
#' @param connection A connection of [cellfolio_connect()].
#' @return A data frame with a row for each dataset: `id`, `name`, numbers of
#'   `cells` and `genes`, whether it is of your files (`own`), and its `state`.
#' @export
cf_datasets <- function(connection) {
  catalog <- from_json(send(connection, "GET", "/api/dataset_metadata"))
  own <- from_json(send(connection, "GET", "/api/own-files"))
  listed <- unlist(lapply(unname(catalog), unname), recursive = FALSE)
  listed <- unlist(listed, recursive = FALSE)
  rows <- c(
    lapply(listed, function(one) {
      entry(one$dataset_filename, one$name, one$cell_count, one$gene_count, FALSE, "ready")
    }),
    lapply(Filter(function(one) !is.null(one$dataset), own$files), function(one) {
      made <- one$dataset
      entry(paste0("custom:", one$file_id), one$name, made$cells, made$genes, TRUE, made$state)
    })
  )
  table <- do.call(rbind, c(list(entry("", "", 0, 0, FALSE, "")[0, ]), rows))
  # The catalog lists a dataset under each of its diseases.
  table <- table[!duplicated(table$id), ]
  table <- table[order(tolower(table$name), table$id), ]
  rownames(table) <- NULL
  table
}

entry <- function(id, name, cells, genes, own, state) {
  data.frame(
    id = id, name = name, cells = as.numeric(cells %||% NA), genes = as.numeric(genes %||% NA),
    own = own, state = state
  )
}

#' Open a Dataset
#'
#' Opens a dataset, by its id or by a name that one dataset has.
#'
#' @param connection A connection of [cellfolio_connect()].
#' @param dataset Id or name of a dataset, as [cf_datasets()] lists them.
#' @return The dataset, for the analyses, [cf_genes()], [cf_expression()],
#'   [cf_cells()] and [cf_figure()]. `info` of it is what the server says of it.
#' @export
cf_open <- function(connection, dataset) {
  if (!is_text(dataset)) fail("invalid_dataset", "dataset: give the id or the name of one dataset.")
  listed <- cf_datasets(connection)
  rows <- which(listed$id == dataset)
  if (length(rows) == 0) rows <- which(listed$name == dataset)
  if (length(rows) == 0) {
    fail("dataset_not_found", paste0(
      "dataset: no dataset has the name or the id \"", dataset, "\". cf_datasets() lists all."
    ))
  }
  if (length(rows) > 1) {
    ids <- paste(listed$id[rows], collapse = ", ")
    fail("dataset_not_found", paste0(
      "dataset: ", length(rows), " datasets are called \"", dataset, "\". Open one by its id: ", ids
    ))
  }
  id <- listed$id[[rows]]
  # Each open dataset has a session of its own, as the server has one dataset open in each.
  session <- basename(tempfile("r-"))
  route <- paste0("/api/dataset_analysis/", segment(id))
  info <- from_json(send(connection, "GET", route, session = session))
  structure(
    list(
      connection = connection, session = session, id = id, name = listed$name[[rows]],
      version = info$version, info = info
    ),
    class = "cellfolio_dataset"
  )
}

#' @export
print.cellfolio_dataset <- function(x, ...) {
  cat("<cellfolio dataset> ", printable(x$name), ": ", x$info$cell_count, " cells, ", x$info$gene_count,
    " genes\n",
    sep = ""
  )
  for (caution in x$info$warnings) cat("Caution:", printable(caution$message), "\n")
  invisible(x)
}

check_dataset <- function(dataset) {
  if (!inherits(dataset, "cellfolio_dataset")) fail("invalid_dataset", "dataset: give a dataset of cf_open().")
}

dataset_call <- function(dataset, method, route, ...) {
  send(dataset$connection, method, route, ..., session = dataset$session)
}

#' List the Genes of a Dataset
#'
#' @param dataset A dataset of [cf_open()].
#' @return A data frame with the column `gene`, in the order of the dataset.
#' @export
cf_genes <- function(dataset) {
  check_dataset(dataset)
  data.frame(gene = as.character(unlist(dataset$info$gene_library)))
}

#' Choose Cells
#'
#' Makes a filter of cells by categories of columns of obs, for the argument
#' `cells` of other functions. Columns are joined by AND, their values by OR.
#'
#' @param columns A named list: the values of each column.
#' @param expressing A gene that the cells express, too.
#' @param name What results call these cells.
#' @return A list; the guide to the API says what else a filter can have.
#' @export
cf_subset <- function(columns = NULL, expressing = NULL, name = "Subset") {
  c(
    list(subset_group_name = name),
    if (!is.null(columns)) {
      list(patient_metadata_filter = TRUE, patient_metadata = lapply(columns, as.character))
    },
    if (!is.null(expressing)) {
      list(gene_filter = TRUE, gene = list(name = expressing, presence = "positive"))
    }
  )
}

#' Read the Expression of Genes
#'
#' Reads the expression of genes, log-normalized as it is explored.
#'
#' @param dataset A dataset of [cf_open()].
#' @param genes Symbols or ids.
#' @param cells A filter of [cf_subset()]; all cells unless given.
#' @return A data frame with a row for each cell: `barcode`, and a column for
#'   each gene.
#' @export
cf_expression <- function(dataset, genes, cells = NULL) {
  check_dataset(dataset)
  if (!is.character(genes) || length(genes) == 0) fail("invalid_genes", "genes: give at least one symbol or id.")
  limit <- from_json(send(dataset$connection, "GET", "/config.json"))$limits$genesPerCall
  ranges <- unname(split(genes, (seq_along(genes) - 1) %/% limit))
  tables <- lapply(ranges, function(range) exported(dataset, cells, "barcode", genes = as.list(range)))
  columns <- unlist(lapply(tables, function(table) as.list(table)[-1]), recursive = FALSE)
  as_frame(c(list(barcode = tables[[1]][[1]]), columns), nrow(tables[[1]]))
}

# Names stay as they are, also those that are arguments of data.frame().
as_frame <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

exported <- function(dataset, cells, texts, genes = list(), metadata = FALSE, coordinates = FALSE) {
  body <- list(
    cells = cells_of(cells), genes = genes, metadata = metadata, coordinates = coordinates, format = "csv"
  )
  file <- tempfile("cellfolio-", fileext = ".csv")
  on.exit(unlink(file))
  dataset_call(dataset, "POST", "/api/export-cells", body = body, path = file)
  table <- read_table(file, texts)
  attr(table, "head") <- NULL
  table
}

cells_of <- function(cells) if (is.null(cells)) empty_object() else list(subset = cells)

#' Write a Figure
#'
#' Writes the figure of a result, or any other figure of a dataset, to a file.
#'
#' @param dataset A dataset of [cf_open()].
#' @param figure A result of an analysis, or the contents of a figure, such as
#'   `list(kind = "gene-umap", gene = "CD3E")`; the guide to the API lists the
#'   kinds.
#' @param file Path of the file, which is replaced if it exists.
#' @param format `png`, `png-300dpi`, `svg` or `pdf`; the extension of `file`
#'   unless given.
#' @param width_mm Width in millimeters.
#' @param cells A filter of [cf_subset()] for contents; all cells unless given.
#' @return `file`, invisibly.
#' @export
cf_figure <- function(dataset, figure, file, format = tolower(sub(".*[.]", "", file)), width_mm = NULL,
                      cells = NULL) {
  check_dataset(dataset)
  if (!format %in% c("png", "png-300dpi", "svg", "pdf")) {
    fail("invalid_format", "format: give png, png-300dpi, svg or pdf, or a file with one of these extensions.")
  }
  source <- if (is.data.frame(figure)) {
    attr(figure, "source") %||% fail("no_figure", "figure: nothing can be drawn of this data frame.")
  } else {
    contents <- list(dataset_filename = dataset$id, version = dataset$version, content = figure)
    c(contents, if (!is.null(cells)) list(subset = cells))
  }
  body <- c(
    list(source = source, format = format),
    if (!is.null(width_mm)) list(file = list(width_mm = width_mm))
  )
  content <- httr2::resp_body_raw(dataset_call(dataset, "POST", "/api/render-figure", body = body))
  writeBin(content, file)
  invisible(file)
}
