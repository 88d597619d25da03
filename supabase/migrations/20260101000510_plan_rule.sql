-- What a plan and the age of an account mean now: the one rule. The server asks it through subscription_of, policies
-- through is_professional; nothing else in the product compares a date with a plan.
-- No role of a caller may use the schema, so none can call these functions by name. A policy may: its names were
-- resolved when it was made, and only the right to execute is asked when it runs.

create function cellfolio.subscription_at(
  account_created_at timestamptz,
  plan_tier text,
  plan_until timestamptz,
  trial_days double precision,
  moment timestamptz,
  out subscribed boolean,
  out tier text,
  out until timestamptz,
  out trial_ends_at timestamptz,
  out trial_expired boolean
)
  language sql immutable
  set search_path = ''
  as $$
    select
      rule.active,
      case when rule.active then plan_tier end,
      case when rule.active then plan_until end,
      rule.trial_end,
      not rule.active and moment >= rule.trial_end
    from (
      select
        plan_tier is not null and (plan_until is null or plan_until > moment) as active,
        -- Days of 24 hours, whatever the session's time zone makes of summer time.
        account_created_at + make_interval(secs => trial_days * 86400) as trial_end
    ) rule
  $$;

-- Plan and trial of an account; no row where there is no such account.
create function cellfolio.subscription_of(account uuid, trial_days double precision, moment timestamptz default now())
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
    select s.subscribed, s.tier, s.until, s.trial_ends_at, s.trial_expired
    from auth.users u
    left join public.subscriptions p on p.user_id = u.id
    cross join lateral cellfolio.subscription_at(u.created_at, p.tier, p.until, trial_days, moment) s
    where u.id = account and u.deleted_at is null
  $$;

-- What uploads ask. The trial gives no right to upload, so its length does not matter here.
create function cellfolio.is_professional(account uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from cellfolio.subscription_of(account, 0) s where s.tier = 'Professional')
  $$;

revoke all on function
  cellfolio.subscription_at(timestamptz, text, timestamptz, double precision, timestamptz),
  cellfolio.subscription_of(uuid, double precision, timestamptz),
  cellfolio.is_professional(uuid)
  from public, anon, authenticated;
grant execute on function cellfolio.is_professional(uuid) to authenticated, service_role;

create function cellfolio.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.updated_at := now();
      return new;
    end
  $$;
revoke all on function cellfolio.touch_updated_at() from public, anon, authenticated;

create trigger subscriptions_touch before update on public.subscriptions
  for each row execute function cellfolio.touch_updated_at();
create trigger subset_metadata_touch before update on public.subset_metadata
  for each row execute function cellfolio.touch_updated_at();
