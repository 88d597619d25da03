-- Jobs that make a file queue its inspection themselves, with its choices. Here that of a file which a client added, when
-- the transaction ends.
drop trigger user_files_inspect on public.user_files;
drop function cellfolio.inspect_new_files();

create function cellfolio.inspect_new_file() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.user_files where id = new.id) and not exists (
        select from cellfolio.jobs where user_id = new.user_id and kind = 'inspect' and file_ids = array[new.id]
      ) then
        perform cellfolio.add_job(new.user_id, 'inspect', array[new.id], new.file_name);
      end if;
      return null;
    end
  $$;
create constraint trigger user_files_inspect after insert on public.user_files
  deferrable initially deferred
  for each row execute function cellfolio.inspect_new_file();
revoke all on function cellfolio.inspect_new_file() from public, anon, authenticated;
