-- Two more kinds of jobs: fetching what a link leads to, which begins without a file, and making one file of several
-- samples.
alter table cellfolio.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in ('inspect', 'convert', 'build', 'download', 'combine')),
  drop constraint jobs_file_ids_check,
  add constraint jobs_file_ids_check check (cardinality(file_ids) <= 200);

-- Of a file that was combined from several samples: {genes, files}, what became of each.
create table cellfolio.combined_files (
  file_id uuid primary key references public.user_files (id) on delete cascade,
  record jsonb not null
);
alter table cellfolio.combined_files enable row level security;
