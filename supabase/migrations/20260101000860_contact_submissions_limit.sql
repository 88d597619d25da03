-- How many messages everybody together may leave in an hour: with many addresses of their own, strangers could otherwise
-- fill the disk by a call each.

create function cellfolio.most_messages_per_hour() returns integer
  language sql immutable
  as $$ select 200 $$;

create function cellfolio.limit_contact_submissions() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      most constant integer := cellfolio.most_messages_per_hour();
    begin
      -- Of two calls at once the second counts what the first has brought.
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.contact_submissions', 0));
      if (
        select count(*) from (
          select from public.contact_submissions where created_at > now() - interval '1 hour' limit most + 1
        ) recent
      ) > most then
        raise exception using
          errcode = 'PT429',
          message = format('%s messages have come within an hour, and no more are taken.', most),
          hint = 'Send yours again in an hour.';
      end if;
      return null;
    end
  $$;
revoke all on function cellfolio.most_messages_per_hour(), cellfolio.limit_contact_submissions()
  from public, anon, authenticated;

create trigger contact_submissions_limit after insert on public.contact_submissions
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_contact_submissions();
