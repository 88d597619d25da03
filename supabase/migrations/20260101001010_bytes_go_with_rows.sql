-- A file whose row is deleted takes its bytes along, whichever way in deleted the row: without it they would count
-- towards the storage of their owner and be seen nowhere. Where storage is somebody else's, its tables are left alone.
create function cellfolio.remove_bytes_of_deleted_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from cellfolio.annotated_versions where dataset_id in (select 'custom:' || id from deleted);
      if to_regclass('storage.dead_blobs') is not null then
        delete from storage.objects
          where bucket_id = 'user-files' and name in (select file_path from deleted);
      end if;
      return null;
    end
  $$;
create trigger user_files_remove_bytes after delete on public.user_files
  referencing old table as deleted
  for each statement execute function cellfolio.remove_bytes_of_deleted_files();

-- Housekeeping removes objects that no row names. It locks them first, so the row that comes waits for it, or it for the row.
create function cellfolio.hold_object_of_new_file() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if to_regclass('storage.dead_blobs') is not null then
        perform from storage.objects where bucket_id = 'user-files' and name = new.file_path for key share;
      end if;
      return new;
    end
  $$;
create trigger user_files_hold_object before insert on public.user_files
  for each row execute function cellfolio.hold_object_of_new_file();

revoke all on function cellfolio.remove_bytes_of_deleted_files(), cellfolio.hold_object_of_new_file()
  from public, anon, authenticated;
