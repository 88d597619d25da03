test_that("each dataset is listed once, and opened by its id or its name", {
  dataset <- demo()
  listed <- cf_datasets(dataset$connection)
  expect_equal(anyDuplicated(listed$id), 0)
  row <- listed[listed$id == demo_id, ]
  expect_equal(cf_open(dataset$connection, row$name)$id, demo_id)
  expect_equal(nrow(cf_genes(dataset)), row$genes)
  expect_output(print(dataset), paste(row$cells, "cells"))
  failure <- expect_error(cf_open(dataset$connection, "../\033[31mred"), class = "cellfolio_error")
  expect_equal(failure$code, "dataset_not_found")
  expect_no_match(conditionMessage(failure), "\033", fixed = TRUE)
})

test_that("a key that may read alone opens a dataset, and runs no analysis", {
  skip_without_server()
  reader <- cf_open(cellfolio_connect(key = Sys.getenv("CELLFOLIO_READ_KEY")), demo_id)
  failure <- expect_error(cf_markers(reader, "leiden"), class = "cellfolio_error")
  expect_equal(failure[c("status", "code")], list(status = 403L, code = "scope_missing"))
  expect_equal(failure$details$scope, "analyse")
  failure <- expect_error(cf_figure(reader, list(kind = "gene-umap", gene = "CD3E"), "map.svg"), class = "cellfolio_error")
  expect_equal(failure$details$scope, "analyse")
  expect_equal(expect_error(cf_expression(reader, "CD3E"), class = "cellfolio_error")$details$scope, "export")
})

test_that("cells are a SingleCellExperiment with sparse assays, embeddings and the columns of obs", {
  dataset <- demo()
  cells <- cf_cells(dataset)
  expect_s4_class(cells, "SingleCellExperiment")
  expect_equal(dim(cells), c(dataset$info$gene_count, dataset$info$cell_count))
  expect_equal(rownames(cells), cf_genes(dataset)$gene)
  expect_s4_class(SummarizedExperiment::assay(cells, "logcounts"), "dgCMatrix")
  expect_equal("counts" %in% SummarizedExperiment::assayNames(cells), dataset$info$raw_counts)
  expect_setequal(SingleCellExperiment::reducedDimNames(cells), c("X_umap", "X_pca"))
  expect_equal(nrow(SingleCellExperiment::reducedDim(cells, "X_pca")), ncol(cells))
  obs <- SummarizedExperiment::colData(cells)
  expect_equal(as.vector(table(obs$leiden)), as.vector(unlist(dataset$info$leiden_cluster_counts)))
})

test_that("some genes of some cells are those of the whole dataset", {
  dataset <- demo()
  whole <- cf_cells(dataset, counts = FALSE)
  # More than one call takes.
  genes <- rownames(whole)[1:120]
  some <- cf_cells(dataset, cells = some_groups, genes = genes)
  same <- whole[genes, whole$leiden %in% c("0", "1", "2")]
  expect_equal(dimnames(some), dimnames(same))
  expect_s4_class(SummarizedExperiment::assay(some), "dgCMatrix")
  expect_equal(SummarizedExperiment::assay(some), SummarizedExperiment::assay(same), tolerance = 1e-6)
  expect_equal(
    SingleCellExperiment::reducedDim(some, "X_umap"), SingleCellExperiment::reducedDim(same, "X_umap"),
    tolerance = 1e-6, ignore_attr = TRUE
  )
  expect_equal(some$leiden, same$leiden)
  expression <- cf_expression(dataset, c("CD3E", "EPCAM"), cells = some_groups)
  expect_named(expression, c("barcode", "CD3E", "EPCAM"))
  expect_gt(sum(expression$CD3E), 0)
  failure <- expect_error(cf_expression(dataset, "NOT-A-GENE"), class = "cellfolio_error")
  expect_equal(failure$code, "gene_not_found")
})

test_that("figures are written in the format of their file", {
  dataset <- demo()
  svg <- cf_figure(dataset, list(kind = "gene-umap", gene = "CD3E"), tempfile(fileext = ".svg"))
  expect_match(readLines(svg, warn = FALSE)[[1]], "^<svg ")
  expect_error(cf_figure(dataset, list(kind = "gene-umap", gene = "CD3E"), "map.gif"), "png-300dpi")
  expect_error(cf_figure(dataset, data.frame(x = 1), "map.png"), "nothing can be drawn")
})

test_that("a package that is missing is named with how to install it", {
  failure <- expect_error(need("notInstalledAnywhere"), class = "cellfolio_error")
  expect_match(conditionMessage(failure), 'BiocManager::install("notInstalledAnywhere")', fixed = TRUE)
})
