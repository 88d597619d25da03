-- How many files one user may have: a list of them is one answer, and each is inspected.

create function cellfolio.most_user_files() returns integer
  language sql immutable
  as $$ select 1000 $$;
revoke all on function cellfolio.most_user_files() from public, anon, authenticated;

create function cellfolio.limit_user_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
      most constant integer := cellfolio.most_user_files();
    begin
      -- In one order, so that two inserts for several users cannot wait for each other.
      for owner in select distinct user_id from inserted order by user_id loop
        -- Of two inserts at once the second counts what the first has brought.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.user_files:' || owner::text, 0));
        if (select count(*) from public.user_files where user_id = owner) > most then
          raise exception 'There is room for % files. Delete files that are no longer needed, then try again.',
            to_char(most, 'FM999,999') using errcode = 'PT409';
        end if;
      end loop;
      return null;
    end
  $$;
revoke all on function cellfolio.limit_user_files() from public, anon, authenticated;

create trigger user_files_limit after insert on public.user_files
  referencing new table as inserted
  for each statement execute function cellfolio.limit_user_files();
