# Tests sums of simulated donors with limma and edgeR, and shares of types with the steps of propeller (Phipson et al.
# 2022): Rscript null_rates_peer.R FOLDER NAME…. FOLDER/NAME.counts has, as int32, the numbers of genes, cells, entries and
# samples, the starts of the genes, the cells and counts of their entries, and the sample of each cell; FOLDER/NAME.shares
# the numbers of types and samples, and the cells of each type in each sample. The second half of the samples is treated.
# Prints adjusted and other p-values as JSON.
suppressMessages({
  library(edgeR)
  library(limma)
  library(Matrix)
})
given <- commandArgs(trailingOnly = TRUE)

sums <- function(name) {
  file <- file(file.path(given[1], paste0(name, ".counts")), "rb")
  on.exit(close(file))
  size <- readBin(file, "integer", 4, 4)
  starts <- readBin(file, "integer", size[1] + 1, 4)
  cells <- readBin(file, "integer", size[3], 4)
  counts <- readBin(file, "integer", size[3], 4)
  samples <- readBin(file, "integer", size[2], 4)
  matrix <- new("dgCMatrix", p = starts, i = cells, x = as.numeric(counts), Dim = size[c(2, 1)])
  as.matrix(t(matrix) %*% sparseMatrix(i = seq_len(size[2]), j = samples + 1, x = 1, dims = size[c(2, 4)]))
}

composition <- function(path) {
  whole <- readBin(path, "integer", file.size(path) / 4, 4)
  cells <- matrix(whole[-(1:2)], whole[1], whole[2], byrow = TRUE)
  half <- t(t(cells + 0.5) / colSums(cells + 0.5))
  fit <- lmFit(log(half / (1 - half)), model.matrix(~factor(seq_len(ncol(cells)) > ncol(cells) / 2)))
  of <- function(fit) list(pValues = fit$p.value[, 2], adjusted = p.adjust(fit$p.value[, 2], "BH"))
  list("Composition" = of(eBayes(fit)), "Composition, robust" = of(eBayes(fit, robust = TRUE)))
}

tested <- function(name) {
  shares <- file.path(given[1], paste0(name, ".shares"))
  if (file.exists(shares)) return(composition(shares))
  counts <- sums(name)
  side <- factor(seq_len(ncol(counts)) > ncol(counts) / 2)
  design <- model.matrix(~side)
  y <- DGEList(counts)
  kept <- filterByExpr(y, design)
  y <- calcNormFactors(y[kept, , keep.lib.sizes = FALSE])
  of <- function(p) {
    all <- rep(NA_real_, length(kept))
    all[kept] <- p
    list(pValues = all, adjusted = p.adjust(all, "BH"))
  }
  fit <- lmFit(voom(y, design), design)
  y <- estimateDisp(y, design)
  list("Sums, voom" = of(eBayes(fit)$p.value[, 2]), "Sums, voom, robust" = of(eBayes(fit, robust = TRUE)$p.value[, 2]),
       "Sums, quasi-likelihood" = of(glmQLFTest(glmQLFit(y, design), coef = 2)$table$PValue))
}

cat(jsonlite::toJSON(lapply(given[-1], tested), digits = NA, auto_unbox = TRUE, na = "null"), "\n")
