-- Signing in by mail, by another provider and in two steps: what these keep between one request and the next.

-- A mail carries a link and a code of six digits. Both stand in one row, each as a digest of its own; wrong codes are
-- counted, as there are only a million of them.
alter table auth.one_time_tokens
  add column code_hash text,
  add column wrong_codes integer not null default 0,
  -- Where the link hands over to, for a client that began with a code challenge.
  add column flow_id uuid references auth.flow_state (id) on delete set null;
create index one_time_tokens_relates_to on auth.one_time_tokens (relates_to);

alter table auth.flow_state
  -- Digests: the state that went to the provider, and the cookie of the browser that left for it.
  add column state_hash text unique,
  add column browser_hash text,
  -- Our own secrets towards the provider.
  add column provider_nonce text,
  add column provider_verifier text,
  add column redirect_to text,
  -- The signed-in account that the provider's one is to be joined to.
  add column linking_user_id uuid references auth.users (id) on delete cascade;

alter table auth.users
  add column email_change_confirm_status smallint not null default 0,
  add column phone_change text,
  add column phone_change_sent_at timestamptz,
  add column reauthentication_sent_at timestamptz;

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null check (factor_type in ('totp', 'phone')),
  status text not null check (status in ('unverified', 'verified')),
  -- Shared with the authenticator app; null for a phone.
  secret text,
  phone text,
  -- Number of the 30-second step whose code was used last: no code is taken twice.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index mfa_factors_user_id on auth.mfa_factors (user_id, created_at);
-- Two factors without a name are as hard to tell apart as two of one name.
create unique index mfa_factors_name on auth.mfa_factors (user_id, coalesce(trim(friendly_name), ''));

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  ip_address text not null,
  -- Digest of the code sent to a phone.
  code_hash text,
  wrong_codes integer not null default 0,
  created_at timestamptz not null default now()
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id, created_at);

alter table auth.sessions
  -- The second step that raised the session.
  add column factor_id uuid,
  -- Refresh tokens below this number ended with the second step, whatever else would let them pass.
  add column refresh_floor bigint not null default 0;

-- Counters of the rate limits, where several processes share them. Rebuilt by itself, so it need not survive a crash.
create unlogged table auth.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index rate_limits_expire on auth.rate_limits (expire);

alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.rate_limits enable row level security;
