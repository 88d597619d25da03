-- What the analysis server keeps for itself. The schema is not exposed by the REST service, and no role of a caller
-- has any right on it; row security is enabled without policies as a second lock.
create schema if not exists cellfolio;
revoke all on schema cellfolio from public, anon, authenticated;

-- The dataset each user has open in each browser tab, and its active subset.
create table cellfolio.active_datasets (
  user_id uuid not null references auth.users (id) on delete cascade,
  session_id text not null,
  dataset_id text not null,
  -- The filter request in force; null for the whole dataset.
  subset jsonb,
  updated_at timestamptz not null default now(),
  primary key (user_id, session_id)
);
create index active_datasets_updated_at on cellfolio.active_datasets (updated_at);

-- Personal keys for scripts. The key itself is shown once; only its SHA-256 (hex) is kept.
create table cellfolio.api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  -- The first characters, to tell keys apart in a list.
  prefix text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_user_id on cellfolio.api_keys (user_id, created_at desc);

alter table cellfolio.active_datasets enable row level security;
alter table cellfolio.api_keys enable row level security;

-- A hosted project makes the record of migrations readable to no one either.
alter table if exists cellfolio.migrations enable row level security;
