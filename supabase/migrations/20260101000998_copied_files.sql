-- A dataset that is made anew beside the one that is there: of a copy of its file, which belongs to the user as any other.
alter table cellfolio.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in ('inspect', 'convert', 'build', 'download', 'combine', 'subset', 'copy'));

-- Of such a copy: {file_id, name, made_with}, the file that it is one of, and what the dataset of that was made with then. It
-- stays when that file goes.
create table cellfolio.copied_files (
  file_id uuid primary key references public.user_files (id) on delete cascade,
  record jsonb not null
);
alter table cellfolio.copied_files enable row level security;
