-- Matrices and tables may be packed with gzip, as Cell Ranger writes them.
alter table public.user_files
  drop constraint user_files_file_path_extension,
  drop constraint user_files_original_filename_extension,
  add constraint user_files_file_path_extension check (
    file_path ~* '\.(mtx|tsv|h5ad|mtx\.gz|tsv\.gz)$'
    and file_path !~ '(^|/)\.{0,2}(/|$)'
  ),
  add constraint user_files_original_filename_extension check (
    original_filename ~* '\.(mtx|tsv|h5ad|mtx\.gz|tsv\.gz)$'
  );

create or replace function public.may_store_user_file(object_name text) returns boolean
  language sql stable
  return
    (storage.foldername(object_name))[1] = (select auth.uid())::text
    and lower(storage.filename(object_name)) ~ '.\.(mtx|tsv|h5ad|mtx\.gz|tsv\.gz)$'
    and cellfolio.is_professional((select auth.uid()));
