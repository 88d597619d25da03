-- The id of a file names the dataset that is made of it. Chosen by the database alone, it is never given twice: with
-- the id of a deleted file, which may stand in an address, nobody can claim what is left of it.
revoke insert on public.user_files from authenticated;
grant insert (
  user_id, file_name, original_filename, description, file_size, mime_type, file_path, created_at
) on public.user_files to authenticated;
