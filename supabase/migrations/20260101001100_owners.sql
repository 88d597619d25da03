-- Rows and files belong to an owner: today always to a user, whose id the owner has. Tables of the public schema
-- have the id of the owner in `user_id`, the name under which clients know it. `user_id` elsewhere is who acts: of a session,
-- a personal key, an open tab.
create table cellfolio.owners (
  id uuid primary key,
  kind text not null check (kind in ('user')),
  -- Set for an owner that is a user.
  user_id uuid unique references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint "a user is the owner of the same id" check (user_id = id),
  constraint "an owner of kind user has a user" check (kind <> 'user' or user_id is not null)
);
alter table cellfolio.owners enable row level security;
revoke all on cellfolio.owners from public, anon, authenticated;

create function cellfolio.add_owner_of_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      insert into cellfolio.owners (id, kind, user_id) values (new.id, 'user', new.id);
      return null;
    end
  $$;
revoke all on function cellfolio.add_owner_of_user() from public, anon, authenticated;
create trigger cellfolio_add_owner after insert on auth.users
  for each row execute function cellfolio.add_owner_of_user();
insert into cellfolio.owners (id, kind, user_id, created_at)
  select id, 'user', id, coalesce(created_at, now()) from auth.users;

alter table public.subscriptions
  drop constraint subscriptions_user_id_fkey,
  add constraint subscriptions_user_id_fkey foreign key (user_id) references cellfolio.owners (id) on delete cascade;
alter table public.generated_images
  drop constraint generated_images_user_id_fkey,
  add constraint generated_images_user_id_fkey foreign key (user_id) references cellfolio.owners (id) on delete cascade;
alter table public.subset_metadata
  drop constraint subset_metadata_user_id_fkey,
  add constraint subset_metadata_user_id_fkey foreign key (user_id) references cellfolio.owners (id) on delete cascade;
alter table public.user_files
  drop constraint user_files_user_id_fkey,
  add constraint user_files_user_id_fkey foreign key (user_id) references cellfolio.owners (id) on delete cascade;
alter table cellfolio.user_documents
  drop constraint user_documents_owner_id_fkey,
  add constraint user_documents_owner_id_fkey foreign key (owner_id) references cellfolio.owners (id) on delete cascade;

alter table cellfolio.jobs rename column user_id to owner_id;
alter table cellfolio.jobs
  drop constraint jobs_user_id_fkey,
  add constraint jobs_owner_id_fkey foreign key (owner_id) references cellfolio.owners (id) on delete cascade;
alter index cellfolio.jobs_user_id rename to jobs_owner_id;
alter table cellfolio.payment_customers rename column user_id to owner_id;
alter table cellfolio.payment_customers
  drop constraint payment_customers_user_id_fkey,
  add constraint payment_customers_owner_id_fkey foreign key (owner_id) references cellfolio.owners (id) on delete cascade;
alter table cellfolio.payment_subscriptions rename column user_id to owner_id;
alter table cellfolio.payment_subscriptions
  drop constraint payment_subscriptions_user_id_fkey,
  add constraint payment_subscriptions_owner_id_fkey
    foreign key (owner_id) references cellfolio.owners (id) on delete cascade;
alter index cellfolio.payment_subscriptions_user_id rename to payment_subscriptions_owner_id;
alter table cellfolio.test_payment_links rename column user_id to owner_id;
alter table cellfolio.test_payment_links
  drop constraint test_payment_links_user_id_fkey,
  add constraint test_payment_links_owner_id_fkey foreign key (owner_id) references cellfolio.owners (id) on delete cascade;

-- Actions that a role with an owner allows on that owner's rows and files. The server has the same table in
-- `runtime/owners.ts`, and a test compares the two.
create function cellfolio.rights() returns table (role text, action text)
  language sql immutable
  as $$ values ('self', 'read'), ('self', 'write') $$;

-- The one decision of who may do what: the owners with whose things the caller may do that. Policies compare a row's owner
-- with all of them, which are found once for a statement, so that indexes by owner serve.
create function cellfolio.owners_for(wanted text) returns uuid[]
  language sql stable security definer
  set search_path = ''
  as $$
    select array(
      select granted.owner
      -- The roles of the caller: a user is an owner.
      from (select auth.uid() as owner, 'self' as role) granted
      join cellfolio.rights() rights on rights.role = granted.role
      where granted.owner is not null and rights.action = wanted
    )
  $$;

-- The owners to whose files the caller may add some: it takes a plan.
create function cellfolio.owners_for_new_files() returns uuid[]
  language sql stable security definer
  set search_path = ''
  as $$
    select array(
      select owner from unnest(cellfolio.owners_for('write')) owner where cellfolio.is_professional(owner)
    )
  $$;
revoke all on function cellfolio.rights(), cellfolio.owners_for(text), cellfolio.owners_for_new_files()
  from public, anon, authenticated;
grant execute on function cellfolio.owners_for(text), cellfolio.owners_for_new_files() to authenticated, service_role;

alter policy subscriptions_select_own on public.subscriptions
  using (user_id = any ((select cellfolio.owners_for('read'))::uuid[]));

drop policy generated_images_own on public.generated_images;
create policy generated_images_read on public.generated_images for select to authenticated
  using (user_id = any ((select cellfolio.owners_for('read'))::uuid[]));
create policy generated_images_insert on public.generated_images for insert to authenticated
  with check (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));
create policy generated_images_update on public.generated_images for update to authenticated
  using (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));
create policy generated_images_delete on public.generated_images for delete to authenticated
  using (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));

drop policy subset_metadata_own on public.subset_metadata;
create policy subset_metadata_read on public.subset_metadata for select to authenticated
  using (user_id = any ((select cellfolio.owners_for('read'))::uuid[]));
create policy subset_metadata_insert on public.subset_metadata for insert to authenticated
  with check (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));
create policy subset_metadata_update on public.subset_metadata for update to authenticated
  using (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));
create policy subset_metadata_delete on public.subset_metadata for delete to authenticated
  using (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));

alter policy user_files_select_own on public.user_files
  using (user_id = any ((select cellfolio.owners_for('read'))::uuid[]));
alter policy user_files_insert_own on public.user_files
  with check (user_id = any ((select cellfolio.owners_for_new_files())::uuid[]));
alter policy user_files_delete_own on public.user_files
  using (user_id = any ((select cellfolio.owners_for('write'))::uuid[]));

-- The bytes of files are in a folder that has the id of their owner.
create or replace function public.may_store_user_file(object_name text) returns boolean
  language sql stable
  return
    (storage.foldername(object_name))[1] = any ((select cellfolio.owners_for_new_files())::text[])
    and storage.filename(object_name) like '_%.%'
    and cellfolio.has_upload_extension(object_name);
alter policy user_files_bucket_select_own on storage.objects
  using (
    bucket_id = 'user-files'
    and (storage.foldername(name))[1] = any ((select cellfolio.owners_for('read'))::text[])
  );
alter policy user_files_bucket_update_own on storage.objects
  using (
    bucket_id = 'user-files'
    and (storage.foldername(name))[1] = any ((select cellfolio.owners_for('write'))::text[])
  );
alter policy user_files_bucket_delete_own on storage.objects
  using (
    bucket_id = 'user-files'
    and (storage.foldername(name))[1] = any ((select cellfolio.owners_for('write'))::text[])
  );

-- The functions of jobs and payments as before, of owners.

create or replace function cellfolio.add_job(owner uuid, kind text, files uuid[], name text, request jsonb default '{}')
  returns cellfolio.jobs
  language sql
  set search_path = ''
  as $$
    insert into cellfolio.jobs (owner_id, kind, file_ids, name, request, priority)
    values (owner, kind, files, name, request,
      -(select count(*) from cellfolio.jobs queued where queued.owner_id = owner and queued.state = 'queued'))
    returning *
  $$;

create or replace function cellfolio.file_choices(owner uuid, file uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(
      (select jsonb_build_object('columns', columns, 'processing', processing)
       from cellfolio.custom_datasets where file_id = file),
      (select request from cellfolio.jobs where owner_id = owner and kind = 'inspect' and file_ids = array[file]
       order by created_at desc limit 1),
      '{}')
  $$;

create or replace function cellfolio.inspect_new_file() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.user_files where id = new.id) and not exists (
        select from cellfolio.jobs where owner_id = new.user_id and kind = 'inspect' and file_ids = array[new.id]
      ) then
        perform cellfolio.add_job(new.user_id, 'inspect', array[new.id], new.file_name);
      end if;
      return null;
    end
  $$;

create or replace function cellfolio.drop_jobs_of_deleted_files() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from cellfolio.jobs
        where owner_id in (select user_id from deleted) and cardinality(file_ids) = 1
          and file_ids[1] in (select id from deleted);
      update cellfolio.jobs
        set state = 'cancelled', stage = null, finished_at = now(),
          problem = '{"code": "file_deleted", "message": "One of the files was deleted."}'
        where owner_id in (select user_id from deleted) and state in ('queued', 'running')
          and file_ids && array(select id from deleted);
      update cellfolio.jobs set result_file_id = null
        where owner_id in (select user_id from deleted) and result_file_id in (select id from deleted);
      update cellfolio.custom_datasets set outdated = true where file_id in (select id from deleted);
      return null;
    end
  $$;

create or replace function cellfolio.note_replaced_bytes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file public.user_files;
      chosen jsonb;
      waits boolean;
    begin
      if new.bucket_id <> 'user-files' then
        return null;
      end if;
      if tg_op = 'UPDATE' and new.version is not distinct from old.version and new.name = old.name then
        return null;
      end if;
      update public.user_files set file_size = coalesce((new.metadata ->> 'size')::bigint, file_size)
        where file_path = new.name returning * into file;
      if file.id is null then
        return null;
      end if;
      chosen := cellfolio.file_choices(file.user_id, file.id) || '{"replaced": true}';
      -- An inspection that waits reads the new bytes when it begins.
      update cellfolio.jobs set request = chosen
        where owner_id = file.user_id and kind = 'inspect' and file_ids = array[file.id] and state = 'queued';
      waits := found;
      update cellfolio.jobs
        set state = 'cancelled', stage = null, finished_at = now(),
          problem = '{"code": "file_replaced", "message": "The file was replaced meanwhile. It is inspected anew; begin again when that is done."}'
        where owner_id = file.user_id and file.id = any(file_ids) and state in ('queued', 'running')
          and not (kind = 'inspect' and state = 'queued');
      if not waits then
        perform cellfolio.add_job(file.user_id, 'inspect', array[file.id], file.file_name, chosen);
      end if;
      delete from cellfolio.file_reports where file_id = file.id;
      update cellfolio.custom_datasets set outdated = true where file_id = file.id;
      return null;
    end
  $$;

create or replace function cellfolio.inspect_forgotten_files() returns void
  language sql
  set search_path = ''
  as $$
    select cellfolio.add_job(f.user_id, 'inspect', array[f.id], f.file_name,
      cellfolio.file_choices(f.user_id, f.id) || case when d.outdated then '{"replaced": true}' else '{}' end::jsonb)
    from public.user_files f left join cellfolio.custom_datasets d on d.file_id = f.id
    where not exists (select from cellfolio.file_reports r where r.file_id = f.id)
      and not exists (select from cellfolio.jobs j where j.owner_id = f.user_id and j.kind = 'inspect'
        and j.file_ids = array[f.id] and j.state in ('queued', 'running'))
  $$;

create or replace function cellfolio.paid_plan(account uuid, moment timestamptz default now())
  returns table (tier text, until timestamptz, counts boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select p.tier, p.until, s.subscribed
    from cellfolio.payment_subscriptions p
    cross join lateral cellfolio.subscription_at(
      'epoch', p.tier, cellfolio.plan_counts_until('stripe', p.until), 0, moment
    ) s
    where p.owner_id = account and p.tier is not null
    order by s.subscribed desc, p.tier = 'Professional' desc, p.until desc
    limit 1
  $$;
