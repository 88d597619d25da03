-- Files each user has uploaded; the bytes are in the object store at file_path.
create table public.user_files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  file_name text not null,
  original_filename text not null,
  description text,
  -- Bytes.
  file_size bigint check (file_size >= 0),
  mime_type text,
  -- A record never points into another user's folder.
  file_path text not null unique check (starts_with(file_path, user_id::text || '/')),
  created_at timestamptz not null default now()
);
create index user_files_user_id on public.user_files (user_id, created_at desc);

alter table public.user_files enable row level security;
revoke all on public.user_files from public, anon, authenticated;
grant select, insert, delete on public.user_files to authenticated;
grant select, insert, update, delete on public.user_files to service_role;

create policy user_files_select_own on public.user_files
  for select to authenticated using (user_id = (select auth.uid()));
create policy user_files_insert_own on public.user_files
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy user_files_delete_own on public.user_files
  for delete to authenticated using (user_id = (select auth.uid()));
