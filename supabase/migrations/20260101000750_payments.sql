-- A plan may come from more than one side: the operator gives one by hand, payments keep another. Each has a row of its
-- own, so that none takes away what another gave; the rule takes the best that counts now.
alter table public.subscriptions
  add column source text not null default 'operator' check (source in ('operator', 'stripe', 'test')),
  drop constraint subscriptions_pkey,
  add primary key (user_id, source);

create or replace function cellfolio.subscription_of(
  account uuid, trial_days double precision, moment timestamptz default now()
)
  returns table (
    subscribed boolean,
    tier text,
    until timestamptz,
    trial_ends_at timestamptz,
    trial_expired boolean
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select s.subscribed, s.tier, case when s.subscribed then p.until end, s.trial_ends_at, s.trial_expired
    from auth.users u
    left join public.subscriptions p on p.user_id = u.id
    cross join lateral cellfolio.subscription_at(
      u.created_at,
      p.tier,
      -- Word of a renewal may take hours to arrive; nobody is locked out for that.
      p.until + case p.source when 'stripe' then interval '1 day' else interval '0' end,
      trial_days,
      moment
    ) s
    where u.id = account and u.deleted_at is null
    order by s.subscribed desc, s.tier = 'Professional' desc, p.until desc nulls first
    limit 1
  $$;

-- Who a customer of the payment provider is here.
create table cellfolio.payment_customers (
  user_id uuid primary key references auth.users (id) on delete cascade,
  customer_id text not null unique,
  created_at timestamptz not null default now()
);

-- What is known of each subscription at the payment provider.
create table cellfolio.payment_subscriptions (
  subscription_id text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Null: it gives no plan now.
  tier text check (tier in ('Standard', 'Professional')),
  until timestamptz,
  status text not null,
  -- Word arrives in any order. Newer is the later time of the event, to the second, and among those of one second the
  -- later reading at the provider (the epoch for what an event said itself).
  as_of timestamptz not null,
  read_at timestamptz not null,
  updated_at timestamptz not null default now()
);
create index payment_subscriptions_user_id on cellfolio.payment_subscriptions (user_id);

-- Every event that was dealt with, so that one that is delivered again changes nothing.
create table cellfolio.payment_events (
  event_id text primary key,
  type text not null,
  outcome text not null,
  received_at timestamptz not null default now()
);
create index payment_events_received_at on cellfolio.payment_events (received_at);

-- Links to the test-mode pages of a demo; of a link only the SHA-256 (hex) is kept.
create table cellfolio.test_payment_links (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('checkout', 'portal')),
  expires_at timestamptz not null
);

alter table cellfolio.payment_customers enable row level security;
alter table cellfolio.payment_subscriptions enable row level security;
alter table cellfolio.payment_events enable row level security;
alter table cellfolio.test_payment_links enable row level security;
