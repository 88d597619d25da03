-- Rows and files of an account with a verified second factor are for sessions that have passed it. The services say so
-- with a clear error before a policy is asked; these policies hold in a hosted project, too.
create function cellfolio.passed_second_step() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
      or not exists (
        select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified'
      )
  $$;
revoke all on function cellfolio.passed_second_step() from public, anon, service_role;
grant execute on function cellfolio.passed_second_step() to authenticated;

-- Restrictive: whatever the other policies of a table allow, this has to hold as well.
create policy second_step on public.subscriptions as restrictive to authenticated
  using ((select cellfolio.passed_second_step()));
create policy second_step on public.generated_images as restrictive to authenticated
  using ((select cellfolio.passed_second_step()));
create policy second_step on public.subset_metadata as restrictive to authenticated
  using ((select cellfolio.passed_second_step()));
create policy second_step on public.user_files as restrictive to authenticated
  using ((select cellfolio.passed_second_step()));
create policy user_files_bucket_second_step on storage.objects as restrictive to authenticated
  using (bucket_id <> 'user-files' or (select cellfolio.passed_second_step()));

-- Keys of an account are made, listed and revoked after its second step alone; only a new key was held to it before.
create or replace function cellfolio.signed_in_user() returns uuid
  language plpgsql stable
  set search_path = ''
  as $$
    begin
      if auth.uid() is null then
        raise exception using errcode = 'PT401', message = 'API keys belong to an account: sign in first.';
      end if;
      if not cellfolio.passed_second_step() then
        raise exception using
          errcode = 'PT403',
          message = 'Confirm the second factor of this account before using its API keys.';
      end if;
      return auth.uid();
    end
  $$;

-- A key outlives the session that makes it, so that session has to be one that still exists.
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
      return query select * from cellfolio.create_api_key(account, key_name);
    end
  $$;
