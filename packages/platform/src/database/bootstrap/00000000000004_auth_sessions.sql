-- Sessions, their tokens, and the keys that sign them.

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2', 'aal3')),
  -- How the user signed in: a list of {method, timestamp}, newest first.
  amr jsonb not null default '[]',
  -- Number of the refresh token in force, and when it came into force.
  refresh_counter bigint not null default 0,
  refreshed_at timestamptz,
  -- The session ends then, however often it is refreshed.
  not_after timestamptz,
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id on auth.sessions (user_id, created_at desc);

-- Codes and links sent by mail: one of a kind per user, and only a hash of it is kept.
create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type text not null,
  token_hash text not null,
  -- The address it was sent to.
  relates_to text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (user_id, token_type)
);
create index one_time_tokens_token_hash on auth.one_time_tokens (token_hash);

-- The keys that sign access tokens. A retired one stays published until the last token it signed has expired.
create table auth.signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  status text not null check (status in ('current', 'retired')),
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  publish_until timestamptz
);
create unique index signing_keys_one_current on auth.signing_keys (status) where status = 'current';

-- A sign-in that has left for a provider and comes back with a code.
create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  auth_code text unique,
  code_challenge text,
  code_challenge_method text,
  provider_type text not null,
  authentication_method text not null,
  provider_access_token text,
  provider_refresh_token text,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index flow_state_user_id on auth.flow_state (user_id);
create index flow_state_created_at on auth.flow_state (created_at);

-- What happened to accounts, for whoever has to explain it later.
create table auth.audit_log_entries (
  id uuid primary key default gen_random_uuid(),
  -- No reference: the record outlives the account.
  user_id uuid,
  action text not null,
  payload jsonb not null default '{}',
  ip_address text,
  created_at timestamptz not null default now()
);
create index audit_log_entries_created_at on auth.audit_log_entries (created_at desc);
create index audit_log_entries_user_id on auth.audit_log_entries (user_id, created_at desc);

alter table auth.sessions enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.signing_keys enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.audit_log_entries enable row level security;
