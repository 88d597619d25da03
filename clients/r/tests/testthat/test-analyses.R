untreated <- list(name = "Untreated", filter = cf_subset(list(treatment = "Untreated")))
examples <- list(
  cell_types = list(groupby = "leiden"),
  co_expression = list(max_genes = 100),
  comparison = list(a = untreated),
  composition = list(a = untreated),
  deciles = list(by = list(of = "gene", gene = "EPCAM")),
  gradient = list(axis = list(of = "column", column = "pct_counts_mt"), cells = some_groups),
  ligand_receptor = list(groupby = "cell_type", permutations = 100),
  markers = list(groupby = "leiden"),
  pathway = list(pathway_genes = c("CD3D", "CD3E", "CD2", "LCK"), background = list(kind = "expressed")),
  perturbations = list(groupby = "treatment", controls = "Untreated", permutations = 99),
  ranked_enrichment = list(
    ranking = list(source = "own", genes = c("CD3D", "CD3E", "LCK", "EPCAM"), values = c(3, 2, 1, -1)),
    min_size = 1, permutations = 20
  ),
  trajectory = list(groupby = "cell_type", cells = some_groups)
)

test_that("there is an example of every analysis", {
  expect_setequal(names(examples), names(analyses))
})

for (name in names(examples)) {
  test_that(paste(name, "has its table, its facts, its figure and a warning for each caution"), {
    dataset <- demo()
    warned <- character()
    result <- withCallingHandlers(
      do.call(paste0("cf_", name), c(list(dataset), examples[[name]])),
      cellfolio_caution = function(caution) {
        warned <<- c(warned, caution$code)
        invokeRestart("muffleWarning")
      }
    )
    expect_s3_class(result, "data.frame")
    expect_gt(nrow(result), 0)
    expect_equal(warned, attr(result, "cautions")$code)
    expect_true(all(nzchar(attr(result, "facts")$message)) && nrow(attr(result, "facts")) > 0)
    expect_true(any(grepl("Definition", attr(result, "made"))))
    if (!is.null(attr(result, "source"))) {
      png <- tempfile(fileext = ".png")
      cf_figure(dataset, result, png, width_mm = 90)
      expect_equal(readBin(png, "raw", 4), as.raw(c(0x89, 0x50, 0x4e, 0x47)))
    }
  })
}

test_that("names of groups stay texts, and p-values are numbers", {
  table <- suppressWarnings(cf_markers(demo(), "leiden", cells = some_groups))
  expect_setequal(table$group, c("0", "1", "2"))
  expect_type(table$pvals, "double")
})

test_that("a trajectory has numbers of each cell", {
  dataset <- demo()
  result <- suppressWarnings(cf_trajectory(dataset, "cell_type", cells = some_groups))
  expect_true(all(attr(result, "cells")$barcode %in% cf_expression(dataset, "CD3E")$barcode))
})

test_that("a wrong field is named by the error", {
  failure <- expect_error(cf_markers(demo(), "leiden", n_genes = 0), class = "cellfolio_error")
  expect_equal(failure[c("status", "code", "field")], list(status = 400L, code = "invalid_request", field = "n_genes"))
  expect_match(conditionMessage(failure), "at least one gene")
})

test_that("names of the data stay as they are", {
  dataset <- demo()
  hostile <- "=<img src=x onerror=alert(1)>, \"NA\" \u00e9"
  route <- paste0("/api/datasets/", segment(dataset$id), "/annotations")
  made <- from_json(dataset_call(dataset, "POST", route, body = list(name = "<b>row.names</b> %s", from = "cell_type")))
  on.exit(dataset_call(dataset, "DELETE", paste0("/api/annotations/", made$id)))
  change <- list(change = "rename", group = made$groups[[1]]$name, name = hostile)
  dataset_call(dataset, "POST", paste0("/api/annotations/", made$id, "/changes"),
    body = list(revision = made$revision, change = change)
  )
  table <- suppressWarnings(cf_markers(dataset, made$name, pvals_adj = 1))
  expect_true(hostile %in% table$group)
  cells <- cf_cells(dataset, genes = "CD3E")
  expect_true(hostile %in% levels(SummarizedExperiment::colData(cells)[[made$name]]))
})

test_that("names of columns and values of texts are read as they are written", {
  file <- tempfile()
  csv <- c(
    "# made by a test", "row.names,check.names,'=x,a b,group", "1,NA,true,1e-300,NA", ",2,false,,'=1",
    "3,x,,2,'quoted'"
  )
  writeLines(csv, file)
  table <- read_table(file, "group")
  expect_named(table, c("row.names", "check.names", "=x", "a b", "group"))
  expect_equal(table$row.names, c(1, NA, 3))
  expect_equal(table$check.names, c("NA", "2", "x"))
  expect_equal(table$`=x`, c(TRUE, FALSE, NA))
  expect_equal(table$group, c("NA", "=1", "'quoted'"))
  expect_equal(attr(table, "head"), "made by a test")
})
