create or replace function cellfolio.upload_extensions() returns text[]
  language sql immutable
  return array['mtx', 'tsv', 'h5ad', 'loom', 'mtx.gz', 'tsv.gz'];
