-- Personal keys have scopes. Keys of before, and those that are made without naming scopes, have all of them. Processes of
-- the version before call the same functions by the same names.
create function cellfolio.key_scopes() returns text[]
  language sql immutable
  set search_path = ''
  as $$ select array['read', 'analyse', 'label', 'upload', 'export'] $$;

alter table cellfolio.api_keys add column scopes text[] not null default cellfolio.key_scopes();

drop function public.create_api_key(text, integer), public.list_api_keys(),
  cellfolio.create_api_key(uuid, text, integer), cellfolio.list_api_keys(uuid);

-- `valid_days`: null for a key without an end. `scopes`: null for all. Errors: PT400 for the name, the days and the scopes,
-- PT409 for one key too many.
create function cellfolio.create_api_key(
  account uuid, key_name text, valid_days integer default null, key_scopes text[] default null
)
  returns table (
    id uuid, name text, prefix text, scopes text[], created_at timestamptz, expires_at timestamptz, key text
  )
  language plpgsql security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    declare
      -- Spaces around a name are typing accidents.
      given text := btrim(key_name);
      -- In the order of the table, each once.
      chosen text[] := array(
        select one from unnest(cellfolio.key_scopes()) with ordinality as all_scopes (one, place)
        where key_scopes is null or one = any (key_scopes) order by place
      );
      -- Every uuid brings 122 bits from the server's strong generator, so three fill the digest.
      secret text := 'cfp_' || rtrim(translate(encode(sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
      ), 'base64'), '+/', '-_'), '=');
    begin
      if given is null or length(given) not between 1 and 100 then
        raise exception using errcode = 'PT400', message = 'The name of an API key needs 1 to 100 characters.';
      end if;
      if valid_days not between 1 and 3650 then
        raise exception using errcode = 'PT400', message = 'An API key is valid for 1 to 3650 days.';
      end if;
      if cardinality(chosen) = 0 or not key_scopes <@ cellfolio.key_scopes() then
        raise exception using
          errcode = 'PT400',
          message = 'An API key has one or more of the scopes ' || array_to_string(cellfolio.key_scopes(), ', ') || '.';
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
        insert into cellfolio.api_keys as k (user_id, name, key_hash, prefix, scopes, expires_at)
        values (
          account, given, encode(sha256(convert_to(secret, 'UTF8')), 'hex'), left(secret, 10), chosen,
          now() + make_interval(days => valid_days)
        )
        returning k.id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, secret;
    end
  $$;

create function cellfolio.list_api_keys(account uuid)
  returns table (
    id uuid, name text, prefix text, scopes text[],
    created_at timestamptz, last_used_at timestamptz, expires_at timestamptz
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select k.id, k.name, k.prefix, k.scopes, k.created_at, k.last_used_at, k.expires_at
    from cellfolio.api_keys k
    where k.user_id = account
    order by k.created_at desc, k.id
  $$;

revoke all on function
  cellfolio.key_scopes(),
  cellfolio.create_api_key(uuid, text, integer, text[]),
  cellfolio.list_api_keys(uuid)
  from public, anon, authenticated;

-- A key outlives the session that makes it, so that session has to be one that still exists.
create function public.create_api_key(
  key_name text, valid_days integer default null, key_scopes text[] default null
)
  returns table (
    id uuid, name text, prefix text, scopes text[], created_at timestamptz, expires_at timestamptz, key text
  )
  language plpgsql security definer
  set search_path = ''
  as $$
    #variable_conflict use_column
    declare
      account uuid := cellfolio.signed_in_user();
      session_id uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
    begin
      if not exists (select from auth.sessions s where s.id = session_id and s.user_id = account) then
        raise exception using errcode = 'PT401', message = 'The session has ended: sign in again.';
      end if;
      return query select * from cellfolio.create_api_key(account, key_name, valid_days, key_scopes);
    end
  $$;

create function public.list_api_keys()
  returns table (
    id uuid, name text, prefix text, scopes text[],
    created_at timestamptz, last_used_at timestamptz, expires_at timestamptz
  )
  language sql stable security definer
  set search_path = ''
  as $$ select * from cellfolio.list_api_keys(cellfolio.signed_in_user()) $$;

revoke all on function
  public.create_api_key(text, integer, text[]),
  public.list_api_keys()
  from public, anon, authenticated, service_role;
grant execute on function
  public.create_api_key(text, integer, text[]),
  public.list_api_keys()
  to authenticated;
