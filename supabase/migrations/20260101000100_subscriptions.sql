-- The plan of each user. Written by the server only (payments, the operator); its owner may read it.
create table public.subscriptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Null: no plan, so the free trial counts.
  tier text check (tier in ('Standard', 'Professional')),
  until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

alter table public.subscriptions enable row level security;
-- A hosted project grants everything on new tables by default: begin from nothing.
revoke all on public.subscriptions from public, anon, authenticated;
grant select on public.subscriptions to authenticated;
grant select, insert, update, delete on public.subscriptions to service_role;

create policy subscriptions_select_own on public.subscriptions
  for select to authenticated using (user_id = (select auth.uid()));
