-- The bytes behind a file may be replaced: what was found in them, and the dataset made of them, are then of other bytes.

alter table cellfolio.file_events
  drop constraint file_events_kind_check,
  add constraint file_events_kind_check check (kind in ('added', 'removed', 'replaced'));

-- Made of bytes that are gone: it is not opened any more, and the next inspection takes it away.
alter table cellfolio.custom_datasets add column outdated boolean not null default false;

-- In the transaction that replaces the bytes, so that nobody is shown figures of the ones before. Bytes come before
-- their row, so the first of a file find none, and nothing happens.
create function cellfolio.note_replaced_bytes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file public.user_files;
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
      delete from cellfolio.file_reports where file_id = file.id;
      update cellfolio.custom_datasets set outdated = true where file_id = file.id;
      insert into cellfolio.file_events (kind, file_id, user_id) values ('replaced', file.id, file.user_id);
      return null;
    end
  $$;
revoke all on function cellfolio.note_replaced_bytes() from public, anon, authenticated;

-- Where files are kept by somebody else, this table may be theirs and of another shape; the bytes are then none that
-- the jobs here read.
do $$
  begin
    create trigger cellfolio_note_replaced_bytes after insert or update of version, name on storage.objects
      for each row execute function cellfolio.note_replaced_bytes();
  exception when insufficient_privilege or undefined_column then
    raise warning 'Replaced files are not inspected anew: storage.objects takes no trigger (%).', sqlerrm;
  end
$$;
