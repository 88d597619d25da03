-- The extensions that an upload may have, said once; a test compares them with those of the contract. A migration that
-- adds one replaces this function alone.
create function cellfolio.upload_extensions() returns text[]
  language sql immutable
  return array['mtx', 'tsv', 'h5ad', 'mtx.gz', 'tsv.gz'];

create function cellfolio.has_upload_extension(name text) returns boolean
  language sql immutable
  return exists (
    select from unnest(cellfolio.upload_extensions()) as extension
    where lower(name) like '%.' || extension
  );

revoke all on function cellfolio.upload_extensions(), cellfolio.has_upload_extension(text) from public, anon;
grant execute on function cellfolio.upload_extensions(), cellfolio.has_upload_extension(text)
  to authenticated, service_role;

alter table public.user_files
  drop constraint user_files_file_path_extension,
  drop constraint user_files_original_filename_extension,
  add constraint user_files_file_path_extension check (
    cellfolio.has_upload_extension(file_path)
    and file_path !~ '(^|/)\.{0,2}(/|$)'
  ),
  add constraint user_files_original_filename_extension check (
    cellfolio.has_upload_extension(original_filename)
  );

create or replace function public.may_store_user_file(object_name text) returns boolean
  language sql stable
  return
    (storage.foldername(object_name))[1] = (select auth.uid())::text
    and storage.filename(object_name) like '_%.%'
    and cellfolio.has_upload_extension(object_name)
    and cellfolio.is_professional((select auth.uid()));
