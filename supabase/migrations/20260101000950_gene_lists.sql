-- Lists of genes that users keep under a name, of no dataset in particular. The server alone reads and writes here, in
-- the private schema.
create table cellfolio.gene_lists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null
    constraint "name takes 1 to 100 characters" check (length(name) between 1 and 100),
  -- In their order, each once.
  genes text[] not null
    constraint "genes takes 1 to 500 genes" check (cardinality(genes) between 1 and 500)
    constraint "genes takes 50,000 characters at most" check (length(array_to_string(genes, '')) <= 50000),
  -- Grows with each change, so that two pages do not undo each other's.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint gene_lists_name unique (user_id, name)
);

alter table cellfolio.gene_lists enable row level security;
revoke all on cellfolio.gene_lists from public, anon, authenticated;

create function cellfolio.most_gene_lists() returns integer
  language sql immutable
  as $$ select 200 $$;

create function cellfolio.limit_gene_lists() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      -- Of two calls at once the second counts what the first has brought.
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.gene_lists:' || new.user_id::text, 0));
      if (select count(*) from cellfolio.gene_lists where user_id = new.user_id) > cellfolio.most_gene_lists() then
        raise exception using errcode = 'PT409',
          message = format('There is room for %s gene lists.', cellfolio.most_gene_lists()),
          hint = 'Delete lists that are no longer needed, then try again.';
      end if;
      return null;
    end
  $$;
revoke all on function cellfolio.most_gene_lists(), cellfolio.limit_gene_lists() from public, anon, authenticated;

create trigger gene_lists_limit after insert on cellfolio.gene_lists
  for each row execute function cellfolio.limit_gene_lists();
