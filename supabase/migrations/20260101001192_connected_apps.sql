-- Apps that a user lets call the tools for assistants (OAuth 2.1). The row is made when the user allows the app, with the
-- code that the app exchanges for its first tokens. Codes and tokens are kept as SHA-256 (hex).
create table cellfolio.connected_apps (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Address of the app's metadata document, which is its client id.
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  -- What the tokens are for (RFC 8707).
  resource text not null,
  scopes text[] not null,
  code_hash text not null unique,
  code_challenge text not null,
  code_expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- When the code was exchanged; null until then.
  connected_at timestamptz,
  last_used_at timestamptz
);
create index connected_apps_user_id on cellfolio.connected_apps (user_id, created_at);

create table cellfolio.app_tokens (
  token_hash text primary key,
  app_id uuid not null references cellfolio.connected_apps (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  -- When a refresh token was exchanged. It is kept until its end: one that comes back later was copied.
  used_at timestamptz
);
create index app_tokens_app_id on cellfolio.app_tokens (app_id);
create index app_tokens_expires_at on cellfolio.app_tokens (expires_at);

alter table cellfolio.connected_apps enable row level security;
alter table cellfolio.app_tokens enable row level security;
