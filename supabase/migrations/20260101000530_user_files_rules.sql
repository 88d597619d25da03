-- Only files that the product can open, and only for subscribers who may upload.

-- `<user id>/<time>_<name>.<extension>`: the name may hold anything but a step out of the folder.
alter table public.user_files
  add constraint user_files_file_path_extension check (
    file_path ~* '\.(mtx|tsv|h5ad)$'
    and file_path !~ '(^|/)\.{0,2}(/|$)'
  ),
  add constraint user_files_original_filename_extension check (original_filename ~* '\.(mtx|tsv|h5ad)$'),
  add constraint user_files_text_lengths check (
    length(file_name) <= 1000
    and length(original_filename) <= 1000
    and length(description) <= 20000
    and length(mime_type) <= 255
    and length(file_path) <= 1100
  );

drop policy user_files_insert_own on public.user_files;
create policy user_files_insert_own on public.user_files
  for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and (select cellfolio.is_professional((select auth.uid())))
  );
