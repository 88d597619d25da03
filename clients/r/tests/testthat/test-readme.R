test_that("the examples of the README run one after the other", {
  skip_without_server()
  readme <- test_path("..", "..", "README.md")
  skip_if_not(file.exists(readme), "the README is in the checkout")
  lines <- readLines(readme, encoding = "UTF-8")
  begins <- which(lines == "```r")
  expect_length(begins, 5)
  examples <- lapply(begins, function(begin) {
    end <- begin + which(lines[-seq_len(begin)] == "```")[[1]]
    lines[(begin + 1):(end - 1)]
  })
  folder <- tempfile()
  dir.create(folder)
  before <- setwd(folder)
  on.exit(setwd(before))
  scope <- new.env(parent = globalenv())
  suppressWarnings(capture.output(eval(parse(text = unlist(examples)), scope)), "cellfolio_caution")
  expect_setequal(list.files(), c("markers.svg", "cd3e.png"))
  expect_gt(nrow(scope$compared), 0)
  expect_equal(unique(as.character(scope$sce$cell_type)), "T cell")
  expect_equal(rownames(scope$some), c("CD3E", "CD79A"))
})
