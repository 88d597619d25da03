-- Files: which buckets there are, which objects are in them, and who may do what. The bytes are in a blob store, under
-- the version of the object; what callers may see is decided by policies on these two tables, as in a hosted project.
create schema if not exists storage;
revoke all on schema storage from public;
grant usage on schema storage to anon, authenticated, service_role;

create table storage.buckets (
  id text collate "C" primary key check (length(id) between 1 and 100),
  name text collate "C" not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  avif_autodetection boolean default false,
  -- Bytes; null for none of its own.
  file_size_limit bigint check (file_size_limit >= 0),
  allowed_mime_types text[],
  type text not null default 'STANDARD',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text collate "C" not null references storage.buckets (id),
  -- By bytes, so that the names under a prefix are one range of the index whatever the locale.
  name text collate "C" not null check (length(name) between 1 and 1024),
  owner uuid,
  owner_id text,
  -- Name of the bytes in the blob store: each upload has its own, so that bytes are never written over.
  version text not null,
  -- {eTag, size, mimetype, cacheControl, lastModified, contentLength, httpStatusCode}
  metadata jsonb not null,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  unique (bucket_id, name)
);
-- What a folder holds, for the quota.
create index objects_folder on storage.objects (bucket_id, (path_tokens[1]));
create unique index objects_version on storage.objects (version);

-- Uploads under way: what they may still fill counts towards the quota, and what they leave behind can be found.
create table storage.uploads (
  -- Also the version that the object will have.
  id uuid primary key,
  bucket_id text collate "C" not null,
  name text collate "C" not null,
  -- First segment of the name.
  folder text collate "C" not null,
  owner_id text,
  -- Bytes kept free for it.
  reserved_bytes bigint not null check (reserved_bytes >= 0),
  upsert boolean not null default false,
  -- Only of resumable ones: who began it, what was said of the file, how far it is, where its bytes are.
  resumable boolean not null default false,
  caller jsonb,
  tus_metadata jsonb,
  upload_length bigint,
  upload_offset bigint not null default 0,
  blob_state jsonb,
  digest text,
  finished_at timestamptz,
  -- Who writes to it now; a lease, so that it lapses with its process.
  lock_holder uuid,
  lock_until timestamptz,
  lock_wanted boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- After that it counts as abandoned.
  expires_at timestamptz not null
);
create index uploads_folder on storage.uploads (bucket_id, folder);
create index uploads_expires_at on storage.uploads (expires_at);

-- Bytes that no object refers to any more, until they are deleted from the blob store.
create table storage.dead_blobs (
  version text primary key,
  -- Only of an unfinished resumable upload.
  blob_state jsonb,
  created_at timestamptz not null default now()
);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.uploads enable row level security;
alter table storage.dead_blobs enable row level security;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

-- However an object goes (removed, replaced, taken along by its account), its bytes are noted for deletion in the same
-- transaction. In the owner's name, because callers may not reach the note.
create function storage.note_dead_blob() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' or new.version is distinct from old.version then
    insert into storage.dead_blobs (version) values (old.version) on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function storage.note_dead_blob() from public;
create trigger note_dead_blob after update of version or delete on storage.objects
  for each row execute function storage.note_dead_blob();

-- The files of an account go with it.
create function storage.remove_objects_of_user() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from storage.objects where owner_id = old.id::text;
  return null;
end
$$;
revoke all on function storage.remove_objects_of_user() from public;
create index objects_owner_id on storage.objects (owner_id);
create trigger remove_storage_objects after delete on auth.users
  for each row execute function storage.remove_objects_of_user();

-- Parts of a name, as policies ask for them.
create function storage.foldername(name text) returns text[]
  language sql immutable
  as $$ select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1] $$;

create function storage.filename(name text) returns text
  language sql immutable
  as $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;

create function storage.extension(name text) returns text
  language sql immutable
  as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role;
