-- The bucket of uploaded files: private, each user's in a folder named by the user's id.
insert into storage.buckets (id, name, public) values ('user-files', 'user-files', false)
  on conflict (id) do update set public = false;

-- What may be put there: in one's own folder, of a kind that can be opened, on a plan that includes it. Policies, so
-- that every way in is held to it (upload, replacement, move, copy, signed and resumable), here and in a hosted project.
create function public.may_store_user_file(object_name text) returns boolean
  language sql stable
  as $$
    select (storage.foldername(object_name))[1] = (select auth.uid())::text
      and lower(storage.filename(object_name)) ~ '.\.(mtx|tsv|h5ad)$'
      and exists (
        select from public.subscriptions
        where user_id = (select auth.uid()) and tier = 'Professional' and (until is null or until > now())
      )
  $$;
revoke all on function public.may_store_user_file(text) from public, anon;
grant execute on function public.may_store_user_file(text) to authenticated, service_role;

create policy user_files_bucket_select_own on storage.objects for select to authenticated
  using (bucket_id = 'user-files' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy user_files_bucket_insert_own on storage.objects for insert to authenticated
  with check (bucket_id = 'user-files' and public.may_store_user_file(name));
create policy user_files_bucket_update_own on storage.objects for update to authenticated
  using (bucket_id = 'user-files' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'user-files' and public.may_store_user_file(name));
-- Whoever no longer has the plan may still take files back and clear them away.
create policy user_files_bucket_delete_own on storage.objects for delete to authenticated
  using (bucket_id = 'user-files' and (storage.foldername(name))[1] = (select auth.uid())::text);
