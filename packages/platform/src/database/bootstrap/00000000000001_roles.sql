-- The roles that a hosted project has: who a call runs as is decided by its key and token, and what that role may
-- see is decided by the policies of the tables. None of them can log in.
do $$
declare
  missing text;
begin
  foreach missing in array array['anon', 'authenticated', 'service_role'] loop
    -- Roles belong to the whole server: another database on it may have made them already.
    if not exists (select 1 from pg_roles where rolname = missing) then
      execute format('create role %I nologin noinherit', missing);
      if missing = 'service_role' then
        execute 'alter role service_role bypassrls';
      end if;
    end if;
    -- So that the login role may act as them; a superuser may anyway.
    if not pg_has_role(current_user, missing, 'member') then
      execute format('grant %I to current_user', missing);
    end if;
  end loop;
end
$$;

-- Where everybody may create objects (a database that began before PostgreSQL 15), nobody should.
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
