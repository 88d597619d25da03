-- Cells of a dataset that become a dataset of their own, with a map of their own.
alter table cellfolio.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in ('inspect', 'convert', 'build', 'download', 'combine', 'subset'));

-- Which cells a job is about, as a text of a bit for each cell of the dataset; apart from the job, which is read each second.
create table cellfolio.job_cells (
  job_id uuid primary key references cellfolio.jobs (id) on delete cascade,
  cells text not null
);
alter table cellfolio.job_cells enable row level security;

-- Of a file that was made of some cells of a dataset: {dataset_filename, version, name, subset, definition, cells, of_cells}.
-- It stays when that dataset goes.
create table cellfolio.subclusterings (
  file_id uuid primary key references public.user_files (id) on delete cascade,
  parent_id text not null,
  record jsonb not null
);
create index subclusterings_parent_id on cellfolio.subclusterings (parent_id);
alter table cellfolio.subclusterings enable row level security;

-- What the dataset that can be opened was made with, and the one before it: {version, columns, processing}.
alter table cellfolio.custom_datasets
  add column made_with jsonb,
  add column made_before jsonb;
-- As far as that is known of those that are there.
update cellfolio.custom_datasets d
  set made_with = jsonb_build_object('version', version, 'columns', columns, 'processing', processing)
  where version is not null and problem is null and cellfolio.dataset_state(d) = 'ready';
