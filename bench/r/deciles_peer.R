# Compares the ends of ranked cells by donor with limma:
#     Rscript deciles_peer.R FILE CELLS GENES ENTRIES DONORS SHARE RUNS
# FILE has, as int32, the starts of the genes, the cells and the counts of their entries and the donor of each cell, then as
# float64 what ranks the cells. Prints seconds by the clock and of the processor of each run, of ends and sums and of the test, the genes
# that are tested and their p-values as JSON.
suppressMessages({
  library(edgeR)
  library(limma)
  library(Matrix)
})
given <- commandArgs(trailingOnly = TRUE)
size <- as.integer(given[2:7])
names(size) <- c("cells", "genes", "entries", "donors", "share", "runs")
file <- file(given[1], "rb")
starts <- readBin(file, "integer", size["genes"] + 1, 4)
cells <- readBin(file, "integer", size["entries"], 4)
counts <- as.numeric(readBin(file, "integer", size["entries"], 4))
donor <- readBin(file, "integer", size["cells"], 4)
values <- readBin(file, "double", size["cells"], 8)
close(file)
matrix <- new("dgCMatrix", p = starts, i = cells, x = counts, Dim = size[c("cells", "genes")])
spent <- function(took) c(took[["elapsed"]], took[["user.self"]] + took[["sys.self"]])

sums_of_runs <- tests_of_runs <- list()
for (run in seq_len(size["runs"])) {
  of_sums <- system.time({
    wanted <- floor(tabulate(donor + 1) * size["share"] / 100)[donor + 1]
    high <- ave(-values, donor, FUN = function(x) rank(x, ties.method = "min")) <= wanted
    low <- ave(values, donor, FUN = function(x) rank(x, ties.method = "min")) <= wanted
    kept <- which(high | low)
    column <- ifelse(high[kept], 0, size["donors"]) + donor[kept] + 1
    belongs <- t(sparseMatrix(i = kept, j = column, x = 1, dims = c(size["cells"], 2 * size["donors"])))
    sums <- t(as.matrix(belongs %*% matrix))
  })
  of_test <- system.time({
    side <- factor(rep(c("high", "low"), each = size["donors"]), levels = c("low", "high"))
    pair <- factor(rep(seq_len(size["donors"]), 2))
    design <- model.matrix(~ side + pair)
    y <- DGEList(sums)
    tested <- filterByExpr(y, design)
    y <- calcNormFactors(y[tested, , keep.lib.sizes = FALSE])
    fit <- eBayes(lmFit(voom(y, design), design))
    p <- topTable(fit, coef = "sidehigh", number = Inf, sort.by = "none")$P.Value
  })
  sums_of_runs[[run]] <- spent(of_sums)
  tests_of_runs[[run]] <- spent(of_test)
}
cat(jsonlite::toJSON(list(sums = sums_of_runs, test = tests_of_runs, kept = which(tested) - 1, p = p), digits = NA), "\n")
