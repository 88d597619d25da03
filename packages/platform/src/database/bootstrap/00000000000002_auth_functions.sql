-- Who calls, as policies ask for it. The claims are set for each transaction; after one that set them the setting is
-- an empty text, not null.
create schema if not exists auth;
revoke all on schema auth from public;
grant usage on schema auth to anon, authenticated, service_role;

create or replace function auth.jwt() returns jsonb
  language sql stable
  as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

create or replace function auth.uid() returns uuid
  language sql stable
  as $$ select nullif(auth.jwt() ->> 'sub', '')::uuid $$;

create or replace function auth.role() returns text
  language sql stable
  as $$ select auth.jwt() ->> 'role' $$;

create or replace function auth.email() returns text
  language sql stable
  as $$ select auth.jwt() ->> 'email' $$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated, service_role;
