-- A key outlives the session that makes it, so that session has to be one that still exists, and one that has passed
-- the second factor where the account has one: the rule that changing a password follows.
create or replace function public.create_api_key(key_name text)
  returns table (id uuid, name text, prefix text, created_at timestamptz, key text)
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
      if coalesce(auth.jwt() ->> 'aal', '') <> 'aal2'
        and exists (select from auth.mfa_factors f where f.user_id = account and f.status = 'verified') then
        raise exception using
          errcode = 'PT403',
          message = 'Confirm the second factor of this account before making an API key.';
      end if;
      return query select * from cellfolio.create_api_key(account, key_name);
    end
  $$;
