-- Each file that comes or goes leaves a note for the process that works on files. Whoever adds and deletes without end
-- would fill the table faster than it is read, or where nobody reads it.

create index file_events_user_id on cellfolio.file_events (user_id);

create function cellfolio.most_pending_file_events() returns integer
  language sql immutable
  as $$ select 5000 $$;

create function cellfolio.limit_file_events() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
      most constant integer := cellfolio.most_pending_file_events();
    begin
      for owner in select distinct user_id from inserted order by user_id loop
        if (select count(*) from cellfolio.file_events where user_id = owner) > most then
          raise exception using
            errcode = 'PT429',
            message = format('More than %s changes of your files are not dealt with yet.', to_char(most, 'FM999,999')),
            hint = 'Wait until the files have been inspected, then try again.';
        end if;
      end loop;
      return null;
    end
  $$;
revoke all on function cellfolio.most_pending_file_events(), cellfolio.limit_file_events()
  from public, anon, authenticated;

-- Files may always be deleted: what is asked is how many come.
create trigger user_files_pending_events after insert on public.user_files
  referencing new table as inserted
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_file_events();
