-- The image library of each user.
create table public.generated_images (
  image_id text primary key default gen_random_uuid()::text,
  user_id uuid not null references auth.users (id) on delete cascade,
  title text not null,
  subtitle text,
  -- A data URL or base64. Text, because the embedded database handles it an order of magnitude better than bytea.
  image_data text not null,
  image_type text not null check (image_type in ('default', 'gene', 'cellType', 'leiden')),
  dataset_name text,
  disease_name text,
  subset_group_name text,
  created_at timestamptz not null default now()
);
-- The library: a user's newest 30, and how many there are.
create index generated_images_user_id on public.generated_images (user_id, created_at desc);

alter table public.generated_images enable row level security;
revoke all on public.generated_images from public, anon, authenticated;
grant select, insert, update, delete on public.generated_images to authenticated, service_role;

create policy generated_images_own on public.generated_images
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
