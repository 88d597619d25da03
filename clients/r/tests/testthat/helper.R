# scripts/r-tests.mjs starts the servers and sets their addresses.
skip_without_server <- function() {
  skip_if(Sys.getenv("CELLFOLIO_REFUSING_URL") == "", "there is no server: run node scripts/r-tests.mjs")
}

demo_id <- "demo-breast-triple-negative.h5ad"
opened <- new.env()
demo <- function() {
  skip_without_server()
  if (is.null(opened$demo)) opened$demo <- cf_open(cellfolio_connect(), demo_id)
  opened$demo
}

some_groups <- cf_subset(list(leiden = 0:2))
