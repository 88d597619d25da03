-- What the auth service makes for itself at its first start: the project's API keys and the key of the MAC in refresh
-- tokens. Kept here so that every process of an installation has the same ones.
create table auth.service_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

alter table auth.service_secrets enable row level security;
