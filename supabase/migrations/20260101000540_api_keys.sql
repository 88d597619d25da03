-- Personal keys for scripts, made, listed and revoked by their user through rpc calls, so that the account page works
-- the same against a hosted project. No role of a caller can read the table, and the key is nowhere but in the answer
-- to the call that made it.

-- A revoked key is gone: nothing has to remember it, and the table cannot be filled by making and revoking.
alter table cellfolio.api_keys drop column revoked_at;

-- Error PT401 where nobody is signed in.
create function cellfolio.signed_in_user() returns uuid
  language plpgsql stable
  set search_path = ''
  as $$
    begin
      if auth.uid() is null then
        raise exception using errcode = 'PT401', message = 'API keys belong to an account: sign in first.';
      end if;
      return auth.uid();
    end
  $$;

-- Makes a key: `cfp_` and 256 random bits in base64url. Errors: PT400 for the name, PT409 for the 21st key.
create function cellfolio.create_api_key(account uuid, key_name text)
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
      -- Two calls at once must not both see 19 keys.
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.api_keys:' || account::text, 0));
      if (select count(*) from cellfolio.api_keys k where k.user_id = account) >= 20 then
        raise exception using
          errcode = 'PT409',
          message = 'An account holds at most 20 API keys.',
          hint = 'Revoke one that is no longer used.';
      end if;
      return query
        insert into cellfolio.api_keys as k (user_id, name, key_hash, prefix)
        values (account, given, encode(sha256(convert_to(secret, 'UTF8')), 'hex'), left(secret, 10))
        returning k.id, k.name, k.prefix, k.created_at, secret;
    end
  $$;

create function cellfolio.list_api_keys(account uuid)
  returns table (id uuid, name text, prefix text, created_at timestamptz, last_used_at timestamptz)
  language sql stable security definer
  set search_path = ''
  as $$
    select k.id, k.name, k.prefix, k.created_at, k.last_used_at
    from cellfolio.api_keys k
    where k.user_id = account
    order by k.created_at desc, k.id
  $$;

create function cellfolio.revoke_api_key(account uuid, key_id uuid) returns boolean
  language sql security definer
  set search_path = ''
  as $$
    with gone as (
      delete from cellfolio.api_keys k where k.id = key_id and k.user_id = account returning 1
    )
    select exists (select from gone)
  $$;

revoke all on function
  cellfolio.create_api_key(uuid, text),
  cellfolio.list_api_keys(uuid),
  cellfolio.revoke_api_key(uuid, uuid)
  from public, anon, authenticated;

-- The face for callers: the same, always for oneself. `rpc('create_api_key', {key_name})` and so on.
create function public.create_api_key(key_name text)
  returns table (id uuid, name text, prefix text, created_at timestamptz, key text)
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      return query select * from cellfolio.create_api_key(cellfolio.signed_in_user(), key_name);
    end
  $$;

create function public.list_api_keys()
  returns table (id uuid, name text, prefix text, created_at timestamptz, last_used_at timestamptz)
  language sql stable security definer
  set search_path = ''
  as $$ select * from cellfolio.list_api_keys(cellfolio.signed_in_user()) $$;

-- Whether there was such a key.
create function public.revoke_api_key(key_id uuid) returns boolean
  language sql security definer
  set search_path = ''
  as $$ select cellfolio.revoke_api_key(cellfolio.signed_in_user(), key_id) $$;

-- A hosted project lets everybody execute new functions by default: begin from nothing.
revoke all on function
  cellfolio.signed_in_user(),
  public.create_api_key(text),
  public.list_api_keys(),
  public.revoke_api_key(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.create_api_key(text),
  public.list_api_keys(),
  public.revoke_api_key(uuid)
  to authenticated;
