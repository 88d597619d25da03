-- The limits that tables hold, in one place: `runtime/limits/limits.ts` of the server lists them with all others under the
-- same keys, and a test compares the two. A migration that changes one replaces this function alone.
create function cellfolio.limits() returns table (key text, value bigint)
  language sql immutable
  as $$
    values
      ('files', 1000),
      ('filesPerCall', 1000),
      ('images', 30),
      ('imagesPerCall', 100),
      ('subsets', 500),
      ('subsetsPerCall', 500),
      -- As the database keeps them: long values are compressed.
      ('subsetBytes', 20000000),
      ('subsetCellTypes', 5000),
      ('keys', 20),
      ('contactMessages', 200),
      ('contactMessagesPerCall', 1)
  $$;

-- An unknown key is an error, or nothing would be limited.
-- Not immutable: sessions keep what an immutable function answered, also when another migration replaces the limits.
create function cellfolio.limit_of(wanted text) returns bigint
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      most bigint;
    begin
      select l.value into strict most from cellfolio.limits() l where l.key = wanted;
      return most;
    end
  $$;
revoke all on function cellfolio.limits(), cellfolio.limit_of(text) from public, anon, authenticated;

create or replace function cellfolio.keep_newest_images() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
    begin
      -- In one order, so that two inserts for several owners cannot wait for each other.
      for owner in select distinct user_id from inserted order by user_id loop
        -- Of two inserts at once the second waits here until the first is over, and its delete then sees both.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.generated_images:' || owner::text, 0));
        delete from public.generated_images image
          using (
            select image_id from public.generated_images
            where user_id = owner
            order by created_at desc, image_id desc
            offset cellfolio.limit_of('images')
          ) surplus
          where image.user_id = owner and image.image_id = surplus.image_id;
      end loop;
      return null;
    end
  $$;

create or replace function cellfolio.limit_user_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
      most constant bigint := cellfolio.limit_of('files');
    begin
      -- In one order, so that two inserts for several owners cannot wait for each other.
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

create or replace function cellfolio.limit_contact_submissions() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      most constant bigint := cellfolio.limit_of('contactMessages');
    begin
      -- Of two calls at once the second counts what the first has brought.
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.contact_submissions', 0));
      if (
        select count(*) from (
          select from public.contact_submissions where created_at > now() - interval '1 hour' limit most + 1
        ) recent
      ) > most then
        raise exception using
          errcode = 'PT429',
          message = format('%s messages have come within an hour, and no more are taken.', most),
          hint = 'Send yours again in an hour.';
      end if;
      return null;
    end
  $$;

create or replace function cellfolio.limit_subset_metadata() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
      used cellfolio.subset_use;
      most_cell_types constant bigint := cellfolio.limit_of('subsetCellTypes');
      most_subsets constant bigint := cellfolio.limit_of('subsets');
      most_bytes constant bigint := cellfolio.limit_of('subsetBytes');
    begin
      if exists (select from changed where cardinality(selected_cell_types) > most_cell_types) then
        raise exception using
          errcode = 'PT400',
          message = format('A subset names at most %s cell types.', to_char(most_cell_types, 'FM999,999')),
          hint = 'Choose fewer of them, then save it again.';
      end if;
      -- In one order, so that two inserts for several owners cannot wait for each other.
      for owner in select distinct user_id from changed order by user_id loop
        -- Of two calls at once the second counts what the first has brought.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.subset_metadata:' || owner::text, 0));
        select * into used from cellfolio.subset_use where user_id = owner;
        if tg_op = 'INSERT' and used.subsets > most_subsets then
          raise exception using
            errcode = 'PT409',
            message = format('There is room for %s saved subsets.', most_subsets),
            hint = 'Delete subsets that are no longer needed, then save it again.';
        end if;
        if used.bytes > most_bytes then
          -- Whoever has more from before may still change it, and make it smaller.
          if tg_op = 'UPDATE' then
            continue when
              (select sum(octet_length(now_so::text)) from changed now_so where user_id = owner)
              <= (select sum(octet_length(before_so::text)) from replaced before_so where user_id = owner);
          end if;
          raise exception using
            errcode = 'PT409',
            message = format('Saved subsets may take %s MB together.', most_bytes / 1000000),
            hint = 'Delete subsets that are no longer needed, or name fewer genes and cell types, then save it again.';
        end if;
      end loop;
      return null;
    end
  $$;

-- Argument: the key of the limit. With the rights of the tables' owner, since callers may not read limits.
create or replace function cellfolio.limit_rows_per_call() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      most constant bigint := cellfolio.limit_of(tg_argv[0]);
      -- Of the transaction, and gone with it.
      counter constant text := 'cellfolio.rows_of_' || tg_table_name;
      brought constant bigint := coalesce(nullif(current_setting(counter, true), ''), '0')::bigint + 1;
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
create or replace trigger contact_submissions_rows_per_call before insert on public.contact_submissions
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('contactMessagesPerCall');
create or replace trigger generated_images_rows_per_call before insert on public.generated_images
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('imagesPerCall');
create or replace trigger subset_metadata_rows_per_call before insert on public.subset_metadata
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('subsetsPerCall');
create or replace trigger user_files_rows_per_call before insert on public.user_files
  for each row when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_rows_per_call('filesPerCall');

create or replace function cellfolio.create_api_key(account uuid, key_name text)
  returns table (id uuid, name text, prefix text, created_at timestamptz, key text)
  language plpgsql security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    declare
      -- Spaces around a name are typing accidents.
      given text := btrim(key_name);
      -- Every uuid brings 122 bits from the server's strong generator, so three fill the digest.
      secret text := 'cfp_' || rtrim(translate(encode(sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
      ), 'base64'), '+/', '-_'), '=');
    begin
      if given is null or length(given) not between 1 and 100 then
        raise exception using errcode = 'PT400', message = 'The name of an API key needs 1 to 100 characters.';
      end if;
      -- Two calls at once must not both see one key less than the most.
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.api_keys:' || account::text, 0));
      if (select count(*) from cellfolio.api_keys k where k.user_id = account) >= cellfolio.limit_of('keys') then
        raise exception using
          errcode = 'PT409',
          message = format('An account holds at most %s API keys.', cellfolio.limit_of('keys')),
          hint = 'Revoke one that is no longer used.';
      end if;
      return query
        insert into cellfolio.api_keys as k (user_id, name, key_hash, prefix)
        values (account, given, encode(sha256(convert_to(secret, 'UTF8')), 'hex'), left(secret, 10))
        returning k.id, k.name, k.prefix, k.created_at, secret;
    end
  $$;

drop function cellfolio.most_user_files(), cellfolio.most_messages_per_hour(), cellfolio.most_subsets(),
  cellfolio.most_subset_bytes();
