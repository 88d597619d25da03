# Adds up counts with Matrix and tests the sums of each group with limma:
#     Rscript pseudobulk_peer.R BLOCK CELLS BLOCK_GENES ENTRIES GENES TESTED TESTED_GENES SAMPLES GROUPS
# BLOCK has, as int32, the starts of the genes of a block, the cells and counts of their entries, and of each cell the
# column of its sum, -1 for none; it is added up as often as GENES need. TESTED has counts as int32, group after group,
# the samples of a gene side by side; samples alternate between two conditions. Prints processor seconds of the sums and
# of each group, a checksum of the block's sums and the p-values of the first group as JSON.
suppressMessages({
  library(edgeR)
  library(limma)
  library(Matrix)
})
given <- commandArgs(trailingOnly = TRUE)
block <- as.integer(given[2:5])
names(block) <- c("cells", "genes", "entries", "all")
size <- as.integer(given[7:9])
names(size) <- c("genes", "samples", "groups")

processor <- function(took) took[["user.self"]] + took[["sys.self"]]

file <- file(given[1], "rb")
starts <- readBin(file, "integer", block["genes"] + 1, 4)
cells <- readBin(file, "integer", block["entries"], 4)
counts <- as.numeric(readBin(file, "integer", block["entries"], 4))
codes <- readBin(file, "integer", block["cells"], 4)
close(file)
matrix <- new("dgCMatrix", p = starts, i = cells, x = counts, Dim = block[c("cells", "genes")])
# The quickest way: the product with the transposed indicator. `rowsum`, which takes dense columns, is timed for one block.
kept <- which(codes >= 0)
belongs <- t(sparseMatrix(i = kept, j = codes[kept] + 1, x = 1, dims = c(block["cells"], max(codes) + 1)))
sums <- matrix(0, max(codes) + 1, block["all"])
summing <- system.time({
  for (gene in seq(1, block["all"], block["genes"])) {
    width <- min(block["genes"], block["all"] - gene + 1)
    sums[, gene + seq_len(width) - 1] <- as.matrix(belongs %*% matrix)[, seq_len(width)]
  }
})
dense <- system.time(rowsum(as.matrix(matrix)[kept, ], codes[kept]))
check <- sum(sums[, seq_len(block["genes"])] * seq_len(nrow(sums)))
condition <- factor(rep(c("a", "b"), length.out = size["samples"]))
design <- model.matrix(~condition)
file <- file(given[6], "rb")
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
  seconds <- c(seconds, processor(took))
  if (is.null(first)) first <- table$P.Value
}
cat(jsonlite::toJSON(list(sums = processor(summing), rowsum = processor(dense), check = check, seconds = seconds, p = first), digits = NA, auto_unbox = TRUE), "\n")
