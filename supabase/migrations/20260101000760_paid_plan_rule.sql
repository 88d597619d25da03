-- Whether a payment gives a plan now is asked of the same rule as everything else, days of grace included.

-- Until when a plan of that source counts. Word of a renewal may take hours to arrive; nobody is locked out for that.
create function cellfolio.plan_counts_until(source text, until timestamptz) returns timestamptz
  language sql immutable
  set search_path = ''
  as $$ select until + case source when 'stripe' then interval '1 day' else interval '0' end $$;

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
      u.created_at, p.tier, cellfolio.plan_counts_until(p.source, p.until), trial_days, moment
    ) s
    where u.id = account and u.deleted_at is null
    order by s.subscribed desc, s.tier = 'Professional' desc, p.until desc nulls first
    limit 1
  $$;

-- The best of the user's subscriptions at the payment provider; one that counts now beats one that ran out, whatever
-- their plans. No row where none gives a plan.
create function cellfolio.paid_plan(account uuid, moment timestamptz default now())
  returns table (tier text, until timestamptz, counts boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select p.tier, p.until, s.subscribed
    from cellfolio.payment_subscriptions p
    cross join lateral cellfolio.subscription_at(
      'epoch', p.tier, cellfolio.plan_counts_until('stripe', p.until), 0, moment
    ) s
    where p.user_id = account and p.tier is not null
    order by s.subscribed desc, p.tier = 'Professional' desc, p.until desc
    limit 1
  $$;

revoke all on function
  cellfolio.plan_counts_until(text, timestamptz),
  cellfolio.paid_plan(uuid, timestamptz)
  from public, anon, authenticated;
