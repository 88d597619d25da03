-- cellfolio.jobs alone says what is to be done, by whom and how far it is: no queue and no list of events beside it.
-- Jobs on files come with the change of the file, in the same transaction.

drop schema if exists cellfolio_queue cascade;
drop trigger user_files_note_event on public.user_files;
drop trigger user_files_pending_events on public.user_files;
drop function cellfolio.note_file_event(), cellfolio.limit_file_events(), cellfolio.most_pending_file_events();
drop table cellfolio.file_events;

alter table cellfolio.jobs
  drop constraint jobs_check,
  drop column queued_at,
  -- Higher goes first.
  add column priority integer not null default 0,
  -- Until then the process with the run token works on the job, unless it says that it goes on. Also of a job that was
  -- cancelled, until its process has stopped.
  add column lease_until timestamptz not null default '-infinity',
  add constraint "a running job has a run token" check (state <> 'running' or run_token is not null),
  add constraint "a queued job has no run token" check (state <> 'queued' or run_token is null);
drop index cellfolio.jobs_under_way;
create index jobs_under_way on cellfolio.jobs (priority desc, created_at) where state in ('queued', 'running');
create index jobs_run_token on cellfolio.jobs (user_id) where run_token is not null;

-- The row stays when the file goes, marked outdated, until what was stored of the dataset is removed.
alter table cellfolio.custom_datasets
  drop constraint custom_datasets_file_id_fkey,
  drop column state;
create index custom_datasets_outdated on cellfolio.custom_datasets (file_id) where outdated;

-- Follows from the job that builds the dataset, and from what can be opened.
create function cellfolio.dataset_state(dataset cellfolio.custom_datasets) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case (select state from cellfolio.jobs where id = dataset.job_id)
      when 'queued' then 'queued'
      when 'running' then 'building'
      else case when dataset.version is null then 'failed' else 'ready' end
    end
  $$;

-- Users take turns: a job goes behind as many others as its owner has queued already.
create function cellfolio.add_job(owner uuid, kind text, files uuid[], name text, request jsonb default '{}')
  returns cellfolio.jobs
  language sql
  set search_path = ''
  as $$
    insert into cellfolio.jobs (user_id, kind, file_ids, name, request, priority)
    values (owner, kind, files, name, request,
      -(select count(*) from cellfolio.jobs queued where queued.user_id = owner and queued.state = 'queued'))
    returning *
  $$;

-- {columns, processing} that the owner of a file chose for its dataset; without a dataset, those of its latest inspection.
create function cellfolio.file_choices(owner uuid, file uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(
      (select jsonb_build_object('columns', columns, 'processing', processing)
       from cellfolio.custom_datasets where file_id = file),
      (select request from cellfolio.jobs where user_id = owner and kind = 'inspect' and file_ids = array[file]
       order by created_at desc limit 1),
      '{}')
  $$;

create function cellfolio.inspect_new_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file record;
    begin
      for file in select id, user_id, file_name from inserted loop
        perform cellfolio.add_job(file.user_id, 'inspect', array[file.id], file.file_name);
      end loop;
      return null;
    end
  $$;
create trigger user_files_inspect after insert on public.user_files
  referencing new table as inserted
  for each statement execute function cellfolio.inspect_new_files();

-- A run whose job is gone or cancelled finds out within a second.
create function cellfolio.drop_jobs_of_deleted_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from cellfolio.jobs
        where user_id in (select user_id from deleted) and cardinality(file_ids) = 1
          and file_ids[1] in (select id from deleted);
      update cellfolio.jobs
        set state = 'cancelled', stage = null, finished_at = now(),
          problem = '{"code": "file_deleted", "message": "One of the files was deleted."}'
        where user_id in (select user_id from deleted) and state in ('queued', 'running')
          and file_ids && array(select id from deleted);
      update cellfolio.jobs set result_file_id = null
        where user_id in (select user_id from deleted) and result_file_id in (select id from deleted);
      update cellfolio.custom_datasets set outdated = true where file_id in (select id from deleted);
      return null;
    end
  $$;
create trigger user_files_drop_jobs after delete on public.user_files
  referencing old table as deleted
  for each statement execute function cellfolio.drop_jobs_of_deleted_files();

-- In the transaction that replaces the bytes, so that nobody is shown figures of the ones before. Bytes come before
-- their row, so the first of a file find none, and nothing happens.
create or replace function cellfolio.note_replaced_bytes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file public.user_files;
      chosen jsonb;
      waits boolean;
    begin
      if new.bucket_id <> 'user-files' then
        return null;
      end if;
      if tg_op = 'UPDATE' and new.version is not distinct from old.version and new.name = old.name then
        return null;
      end if;
      update public.user_files set file_size = coalesce((new.metadata ->> 'size')::bigint, file_size)
        where file_path = new.name returning * into file;
      if file.id is null then
        return null;
      end if;
      chosen := cellfolio.file_choices(file.user_id, file.id) || '{"replaced": true}';
      -- An inspection that waits reads the new bytes when it begins.
      update cellfolio.jobs set request = chosen
        where user_id = file.user_id and kind = 'inspect' and file_ids = array[file.id] and state = 'queued';
      waits := found;
      update cellfolio.jobs
        set state = 'cancelled', stage = null, finished_at = now(),
          problem = '{"code": "file_replaced", "message": "The file was replaced meanwhile. It is inspected anew; begin again when that is done."}'
        where user_id = file.user_id and file.id = any(file_ids) and state in ('queued', 'running')
          and not (kind = 'inspect' and state = 'queued');
      if not waits then
        perform cellfolio.add_job(file.user_id, 'inspect', array[file.id], file.file_name, chosen);
      end if;
      delete from cellfolio.file_reports where file_id = file.id;
      update cellfolio.custom_datasets set outdated = true where file_id = file.id;
      return null;
    end
  $$;

-- Files that have no report and that nobody is about to inspect: their jobs came from an earlier version, or were not
-- in the backup.
create function cellfolio.inspect_forgotten_files() returns void
  language sql
  set search_path = ''
  as $$
    select cellfolio.add_job(f.user_id, 'inspect', array[f.id], f.file_name,
      cellfolio.file_choices(f.user_id, f.id) || case when d.outdated then '{"replaced": true}' else '{}' end::jsonb)
    from public.user_files f left join cellfolio.custom_datasets d on d.file_id = f.id
    where not exists (select from cellfolio.file_reports r where r.file_id = f.id)
      and not exists (select from cellfolio.jobs j where j.user_id = f.user_id and j.kind = 'inspect'
        and j.file_ids = array[f.id] and j.state in ('queued', 'running'))
  $$;

revoke all on function cellfolio.dataset_state(cellfolio.custom_datasets),
  cellfolio.add_job(uuid, text, uuid[], text, jsonb), cellfolio.file_choices(uuid, uuid),
  cellfolio.inspect_new_files(), cellfolio.drop_jobs_of_deleted_files(), cellfolio.inspect_forgotten_files()
  from public, anon, authenticated;

-- Jobs that were running are taken again: their leases are over.
select cellfolio.inspect_forgotten_files();
delete from cellfolio.jobs
  where cardinality(file_ids) = 1 and not exists (select from public.user_files f where f.id = file_ids[1]);
