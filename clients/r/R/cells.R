#' Read Cells as a SingleCellExperiment
#'
#' Reads a dataset, or the chosen cells and genes of it. Needs the packages
#' SingleCellExperiment, and rhdf5 where `genes` are not given.
#'
#' @param dataset A dataset of [cf_open()].
#' @param cells A filter of [cf_subset()]; all cells unless given.
#' @param genes Reads these genes alone, without counts, with the columns of
#'   obs and the embedding of the figures; all genes unless given.
#' @param counts Whether to read the raw counts, where the dataset has them.
#' @return A SingleCellExperiment. Assays are sparse (dgCMatrix): `logcounts`,
#'   or `X` where values are not of logarithms, and `counts`. Columns of obs are
#'   its `colData`, embeddings its `reducedDims`; proteins are the alternative
#'   experiment `proteins`.
#' @export
cf_cells <- function(dataset, cells = NULL, genes = NULL, counts = TRUE) {
  check_dataset(dataset)
  need("SingleCellExperiment")
  if (!is.null(genes)) {
    return(cells_of_genes(dataset, genes, cells))
  }
  need("rhdf5")
  file <- tempfile("cellfolio-", fileext = ".h5ad")
  on.exit(unlink(file))
  body <- list(counts = counts, annotations = TRUE, cells = cells_of(cells))
  dataset_call(dataset, "POST", "/api/export-dataset", body = body, path = file)
  read_h5ad(file)
}

need <- function(package) {
  if (!requireNamespace(package, quietly = TRUE)) {
    fail("package_missing", paste0("This needs ", package, ": BiocManager::install(\"", package, "\")"))
  }
}

cells_of_genes <- function(dataset, genes, cells) {
  expression <- cf_expression(dataset, genes, cells)
  listed <- from_json(dataset_call(dataset, "GET", paste0("/api/datasets/", segment(dataset$id), "/columns"),
    query = list(version = dataset$version)
  ))
  categories <- Filter(function(one) identical(one$kind, "categories"), listed$obs)
  names <- vapply(categories, function(one) one$name, "")
  obs <- as.list(exported(dataset, cells, c("barcode", names), metadata = TRUE))
  for (column in Filter(function(one) one$name %in% names(obs), categories)) {
    values <- obs[[column$name]]
    obs[[column$name]] <- factor(values, levels = levels_of(dataset, column, values))
  }
  values <- Matrix::Matrix(t(as.matrix(expression[-1])), sparse = TRUE)
  values <- methods::as(methods::as(values, "generalMatrix"), "CsparseMatrix")
  embedding <- listed$default_embedding
  dims <- if (!is.null(embedding)) {
    table <- exported(dataset, cells, "barcode", coordinates = TRUE)
    stats::setNames(list(unname(as.matrix(table[-1]))), embedding)
  }
  experiment(list(logcounts = values), obs[-1], list(), dims, expression$barcode, names(expression)[-1])
}

# Categories in the order of the dataset; an own annotation has none that no cell has.
levels_of <- function(dataset, column, values) {
  if (isTRUE(column$own)) {
    return(setdiff(unique(values), ""))
  }
  route <- paste0("/api/datasets/", segment(dataset$id), "/category-displays/", segment(column$name))
  vapply(from_json(dataset_call(dataset, "GET", route))$categories, function(one) one$name, "")
}

# Columns are set one by one: names stay as they are, also those that are arguments of DataFrame().
experiment <- function(assays, obs, var, dims, barcodes, genes) {
  frame <- function(columns, rows) {
    made <- S4Vectors::make_zero_col_DFrame(rows)
    for (name in names(columns)) made[[name]] <- columns[[name]]
    made
  }
  made <- SingleCellExperiment::SingleCellExperiment(
    assays = assays,
    colData = frame(obs, length(barcodes)),
    rowData = frame(var, length(genes))
  )
  dimnames(made) <- list(genes, barcodes)
  for (name in names(dims)) SingleCellExperiment::reducedDim(made, name) <- dims[[name]]
  made
}

read_h5ad <- function(file) {
  on.exit(rhdf5::h5closeAll())
  children <- rhdf5::h5ls(file, recursive = 2)
  within <- function(group) children$name[children$group == group]
  obs <- h5_frame(file, "obs")
  var <- h5_frame(file, "var")
  assays <- list(h5_matrix(file, "X"))
  names(assays) <- if ("log1p" %in% within("/uns")) "logcounts" else "X"
  if ("counts" %in% within("/layers")) assays$counts <- h5_matrix(file, "layers/counts")
  names <- as.character(within("/obsm"))
  is_frame <- vapply(names, function(name) {
    identical(h5_attribute(file, paste0("obsm/", name), "encoding-type"), "dataframe")
  }, NA)
  dims <- lapply(names[!is_frame], function(name) t(h5_value(file, paste0("obsm/", name))))
  made <- experiment(
    assays, obs$columns, var$columns, stats::setNames(dims, names[!is_frame]), obs$index, var$index
  )
  for (name in names[is_frame]) {
    proteins <- h5_frame(file, paste0("obsm/", name))
    values <- matrix(unlist(proteins$columns), ncol = length(obs$index), byrow = TRUE)
    beside <- experiment(list(X = values), list(), list(), list(), obs$index, names(proteins$columns))
    SingleCellExperiment::altExp(made, "proteins") <- beside
  }
  made
}

# rhdf5 warns of logical attributes, such as `ordered`, which nothing here reads.
h5_attributes <- function(file, path) suppressWarnings(rhdf5::h5readAttributes(file, path))
h5_attribute <- function(file, path, name) as.character(h5_attributes(file, path)[[name]] %||% character())

h5_value <- function(file, path) {
  value <- rhdf5::h5read(file, path, bit64conversion = "double")
  # Logical values are an enumeration of FALSE and TRUE.
  if (is.factor(value)) value <- as.character(value) == "TRUE"
  if (length(dim(value)) == 1) value <- as.vector(value)
  if (is.character(value)) Encoding(value) <- "UTF-8"
  value
}

# A sparse matrix, genes by cells, of one that is stored as cells by genes.
h5_matrix <- function(file, path) {
  attributes <- h5_attributes(file, path)
  part <- function(name) h5_value(file, paste0(path, "/", name))
  shape <- as.integer(attributes$shape)
  is_by_gene <- identical(as.character(attributes[["encoding-type"]]), "csc_matrix")
  made <- methods::new(methods::getClass("dgCMatrix", where = asNamespace("Matrix")),
    i = as.integer(part("indices")), p = as.integer(part("indptr")), x = as.numeric(part("data")),
    Dim = if (is_by_gene) shape else rev(shape)
  )
  if (is_by_gene) Matrix::t(made) else made
}

h5_frame <- function(file, path) {
  attributes <- h5_attributes(file, path)
  names <- as.character(attributes[["column-order"]])
  Encoding(names) <- "UTF-8"
  columns <- lapply(names, function(name) h5_column(file, paste0(path, "/", name)))
  index <- as.character(h5_value(file, paste0(path, "/", attributes[["_index"]])))
  list(index = index, columns = stats::setNames(columns, names))
}

h5_column <- function(file, path) {
  encoding <- h5_attribute(file, path, "encoding-type")
  part <- function(name) h5_value(file, paste0(path, "/", name))
  if (identical(encoding, "categorical")) {
    levels <- as.character(part("categories"))
    codes <- as.integer(part("codes"))
    codes[codes < 0] <- NA
    return(factor(levels[codes + 1], levels = levels))
  }
  if (any(startsWith(encoding, "nullable-"))) {
    values <- part("values")
    values[as.logical(part("mask"))] <- NA
    return(values)
  }
  h5_value(file, path)
}
