library(testthat)
library(cellfolio)

test_check("cellfolio")
