-- Calls of tools for assistants, for the user in whose name they were made and for the operator: never their arguments,
-- but for the dataset that they name. The server alone reads and writes here.
create table cellfolio.tool_calls (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null default now(),
  tool text not null,
  -- Empty for a call that names none.
  dataset_id text not null default ''
    constraint "dataset_id takes 200 characters at most" check (length(dataset_id) <= 200),
  -- What the call was made with; the name of the personal key or the app as it was then.
  credential text not null check (credential in ('key', 'app', 'session')),
  credential_name text not null default '',
  -- As that of a call of /api; 499 for one that was canceled.
  status integer not null,
  milliseconds integer not null
);
create index tool_calls_user_id on cellfolio.tool_calls (user_id, id);
create index tool_calls_at on cellfolio.tool_calls (at);

alter table cellfolio.tool_calls enable row level security;
revoke all on cellfolio.tool_calls from public, anon, authenticated;
