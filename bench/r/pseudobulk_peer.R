# Tests the sums of each group with limma: Rscript pseudobulk_peer.R FILE GENES SAMPLES GROUPS. FILE has the counts as
# int32, group after group, the samples of a gene side by side; samples alternate between two conditions. Prints seconds
# of each group and its p-values of the first group as JSON.
suppressMessages({
  library(edgeR)
  library(limma)
})
given <- commandArgs(trailingOnly = TRUE)
size <- as.integer(given[2:4])
names(size) <- c("genes", "samples", "groups")
condition <- factor(rep(c("a", "b"), length.out = size["samples"]))
design <- model.matrix(~condition)
file <- file(given[1], "rb")
seconds <- numeric()
first <- NULL
for (group in seq_len(size["groups"])) {
  counts <- matrix(readBin(file, "integer", prod(size[1:2]), 4), ncol = size["samples"], byrow = TRUE)
  took <- system.time({
    y <- DGEList(counts)
    y <- y[filterByExpr(y, design), , keep.lib.sizes = FALSE]
    y <- calcNormFactors(y)
    v <- voom(y, design)
    table <- topTable(eBayes(lmFit(v, design)), coef = 2, number = Inf, sort.by = "none")
    plotMDS(v$E, plot = FALSE)
  })
  seconds <- c(seconds, took[["elapsed"]])
  if (is.null(first)) first <- table$P.Value
}
cat(jsonlite::toJSON(list(seconds = seconds, p = first), digits = NA), "\n")
