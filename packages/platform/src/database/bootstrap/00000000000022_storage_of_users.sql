-- What is in the folder of an account goes with it, also what its owner did not put there, and uploads under way: they
-- would hold bytes that nobody can see for as long as they may be resumed.
create or replace function storage.remove_objects_of_user() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from storage.objects where owner_id = old.id::text;
  -- Bucket by bucket, as the index of folders has them.
  delete from storage.objects o using storage.buckets b
    where o.bucket_id = b.id and o.path_tokens[1] = old.id::text;
  with ended as (
    delete from storage.uploads u using storage.buckets b
      where u.bucket_id = b.id and u.folder = old.id::text
      returning u.id, u.blob_state
  )
  insert into storage.dead_blobs (version, blob_state)
    select id::text, coalesce(blob_state, '{}') from ended on conflict do nothing;
  return null;
end
$$;
revoke all on function storage.remove_objects_of_user() from public;
