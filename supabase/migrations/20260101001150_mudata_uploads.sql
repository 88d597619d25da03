create or replace function cellfolio.upload_extensions() returns text[]
  language sql immutable
  return array[
    'mtx', 'tsv', 'h5ad', 'loom', 'h5', 'csv', 'zip', 'rds', 'h5seurat', 'h5mu',
    'mtx.gz', 'tsv.gz', 'h5ad.gz', 'loom.gz', 'h5.gz', 'csv.gz', 'rds.gz', 'h5seurat.gz', 'h5mu.gz'
  ];
