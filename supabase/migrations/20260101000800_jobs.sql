-- What becomes of users' files: what inspection found in them, the datasets made of them, and the jobs that do it.
-- Callers reach none of it but through the server's own calls.

-- Work that goes on after the call that asked for it. What users see is here; a queue beside it decides who runs it.
create table cellfolio.jobs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('inspect', 'convert', 'build')),
  file_ids uuid[] not null check (cardinality(file_ids) between 1 and 3),
  name text not null,
  -- What was asked for beyond the files: {columns, processing}.
  request jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  stage text,
  progress real not null default 0 check (progress between 0 and 1),
  -- [{at, text}]
  log jsonb not null default '[]',
  attempts integer not null default 0,
  -- Who may record a result: a run of the job, as long as nobody else took it up, cancelled it or handed it back.
  run_token uuid,
  -- When it was handed to the queue; null: not yet.
  queued_at timestamptz,
  -- {code, message}
  problem jsonb,
  result_file_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((run_token is not null) = (state = 'running'))
);
create index jobs_user_id on cellfolio.jobs (user_id, created_at desc);
create index jobs_under_way on cellfolio.jobs (created_at) where state in ('queued', 'running');
create index jobs_finished_at on cellfolio.jobs (finished_at);

-- What each file is. Without a row it was not inspected yet.
create table cellfolio.file_reports (
  file_id uuid primary key references public.user_files (id) on delete cascade,
  report jsonb,
  problem jsonb,
  inspected_at timestamptz not null default now(),
  check ((report is null) <> (problem is null))
);

-- The dataset made of each .h5ad, kept as `custom:<file id>`.
create table cellfolio.custom_datasets (
  file_id uuid primary key references public.user_files (id) on delete cascade,
  state text not null check (state in ('queued', 'building', 'ready', 'failed')),
  job_id uuid,
  -- As its owner chose them, for the newest build.
  columns jsonb not null default '{}',
  processing jsonb not null default '{}',
  -- Of what can be opened now, which during a further build is the one before; null: nothing can.
  version text,
  cells integer,
  genes integer,
  processed jsonb,
  problem jsonb,
  updated_at timestamptz not null default now(),
  check (state <> 'ready' or version is not null)
);

-- What happened to files, until the jobs that follow from it are there: written in the transaction of the happening.
create table cellfolio.file_events (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('added', 'removed')),
  file_id uuid not null,
  user_id uuid not null,
  at timestamptz not null default clock_timestamp()
);
create index file_events_at on cellfolio.file_events (at);

alter table cellfolio.jobs enable row level security;
alter table cellfolio.file_reports enable row level security;
alter table cellfolio.custom_datasets enable row level security;
alter table cellfolio.file_events enable row level security;

create function cellfolio.note_file_event() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if tg_op = 'INSERT' then
        insert into cellfolio.file_events (kind, file_id, user_id) values ('added', new.id, new.user_id);
      else
        insert into cellfolio.file_events (kind, file_id, user_id) values ('removed', old.id, old.user_id);
      end if;
      return null;
    end
  $$;
revoke all on function cellfolio.note_file_event() from public, anon, authenticated;
create trigger user_files_note_event after insert or delete on public.user_files
  for each row execute function cellfolio.note_file_event();

-- Files that were there before.
insert into cellfolio.file_events (kind, file_id, user_id)
  select 'added', id, user_id from public.user_files order by created_at;
