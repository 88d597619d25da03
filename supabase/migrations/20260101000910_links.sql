-- Short links to views of the explorer: an id stands for an address with its filter and its figures. Of a user the same
-- address has one id. The server alone reads and writes here, in the private schema: whoever could list the table would
-- see what others look at.
create table cellfolio.links (
  id text primary key constraint "id takes 12 letters and digits" check (id ~ '^[0-9A-Za-z]{12}$'),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Path and query, never another site.
  address text not null
    constraint "address takes 8,000 characters at most" check (length(address) <= 8000)
    constraint "address is one of the explorer"
      check (starts_with(address, '/explorer?') and address !~ '[[:space:]#\\]'),
  created_at timestamptz not null default now(),
  -- When it was last made or opened, to the day.
  used_at timestamptz not null default now()
);
-- By a hash: an address is too long for an index.
create unique index links_user_address on cellfolio.links (user_id, md5(address));
create index links_user_used_at on cellfolio.links (user_id, used_at desc);
create index links_used_at on cellfolio.links (used_at);

alter table cellfolio.links enable row level security;
revoke all on cellfolio.links from public, anon, authenticated;

create function cellfolio.most_links() returns integer
  language sql immutable
  as $$ select 500 $$;

-- A new link pushes out the one that was unused for longest.
create function cellfolio.limit_links() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      owner uuid;
    begin
      -- In one order, so that two inserts for several users cannot wait for each other.
      for owner in select distinct user_id from added order by user_id loop
        -- Of two calls at once the second counts what the first has brought.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.links:' || owner::text, 0));
        delete from cellfolio.links where id in (
          select id from cellfolio.links where user_id = owner
          order by used_at desc, created_at desc offset cellfolio.most_links());
      end loop;
      return null;
    end
  $$;
revoke all on function cellfolio.most_links(), cellfolio.limit_links() from public, anon, authenticated;

create trigger links_limit after insert on cellfolio.links
  referencing new table as added
  for each statement execute function cellfolio.limit_links();
