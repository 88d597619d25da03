-- How many rows one call may bring: a body of 16 MB holds half a million short ones. Counted before each row is written,
-- so that a call that is refused leaves next to nothing behind in the files of the table. Whoever runs the server is not
-- counted (`service_role`, and the account that owns the tables: it restores backups).

-- Argument: the largest number of rows.
create function cellfolio.limit_rows_per_call() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      most constant integer := tg_argv[0];
      -- Of the transaction, and gone with it.
      counter constant text := 'cellfolio.rows_of_' || tg_table_name;
      brought constant integer := coalesce(nullif(current_setting(counter, true), ''), '0')::integer + 1;
    begin
      if brought > most then
        raise exception using
          errcode = 'PT400',
          message = format('One call may bring %s of %s.',
            case most when 1 then 'one row' else to_char(most, 'FM999,999') || ' rows' end, tg_table_name),
          hint = 'Send the others in calls of their own.';
      end if;
      perform set_config(counter, brought::text, true);
      return new;
    end
  $$;
revoke all on function cellfolio.limit_rows_per_call() from public, anon, authenticated;

create trigger contact_submissions_rows_per_call before insert on public.contact_submissions
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('1');
create trigger generated_images_rows_per_call before insert on public.generated_images
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('100');
create trigger subset_metadata_rows_per_call before insert on public.subset_metadata
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('500');
create trigger user_files_rows_per_call before insert on public.user_files
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('1000');
