-- Saved cell subsets of each user.
create table public.subset_metadata (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  subset_name text not null check (length(btrim(subset_name)) > 0),
  subset_type text not null default 'gene',
  -- Comma-separated.
  gene_symbol text,
  percentile double precision,
  selected_cell_types text[],
  dataset_name text,
  disease_name text,
  filter_config jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The chooser: a user's subsets of one dataset, newest first.
create index subset_metadata_user_dataset on public.subset_metadata
  (user_id, dataset_name, disease_name, created_at desc);

alter table public.subset_metadata enable row level security;
revoke all on public.subset_metadata from public, anon, authenticated;
grant select, insert, update, delete on public.subset_metadata to authenticated, service_role;

create policy subset_metadata_own on public.subset_metadata
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
