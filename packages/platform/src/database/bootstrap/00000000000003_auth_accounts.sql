-- Accounts and how they prove who they are. No role but the owner has any right on these tables: row security is
-- enabled without policies as a second lock.

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  -- Lower case, so that one address is one account.
  email text constraint users_email_lower check (email = lower(email)),
  phone text,
  -- The algorithm and its parameters are part of the text; null for an account that only signs in elsewhere.
  encrypted_password text,
  email_confirmed_at timestamptz,
  phone_confirmed_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  -- An address that waits to be confirmed; email_confirmed_at is about `email`.
  email_change text,
  email_change_sent_at timestamptz,
  invited_at timestamptz,
  last_sign_in_at timestamptz,
  -- app: set by the service only. user: free for the account holder to change.
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on auth.users (email) where deleted_at is null;
create unique index users_phone_key on auth.users (phone) where deleted_at is null;
create index users_created_at on auth.users (created_at desc);

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  -- The account's id at that provider; for `email` the user's own id.
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user_id on auth.identities (user_id, created_at);

alter table auth.users enable row level security;
alter table auth.identities enable row level security;
