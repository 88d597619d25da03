-- Messages from the contact page. Anyone may leave one; no caller may read them.
create table public.contact_submissions (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) <= 500),
  email text not null check (length(email) <= 500),
  subject text check (length(subject) <= 1000),
  message text not null check (length(message) <= 20000),
  created_at timestamptz not null default now()
);
create index contact_submissions_created_at on public.contact_submissions (created_at desc);

alter table public.contact_submissions enable row level security;
revoke all on public.contact_submissions from public, anon, authenticated;
-- By column: nobody chooses the id or the time.
grant insert (name, email, subject, message) on public.contact_submissions to anon, authenticated;
grant select, insert, update, delete on public.contact_submissions to service_role;

create policy contact_submissions_insert on public.contact_submissions
  for insert to anon, authenticated with check (true);
