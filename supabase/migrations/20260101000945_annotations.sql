-- Labels of cells that users make: an annotation is a column of a dataset's obs that only they see. The server alone
-- reads and writes here, in the private schema.
create table cellfolio.annotations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  dataset_id text not null
    constraint "dataset_id takes 200 characters at most" check (length(dataset_id) <= 200),
  name text not null
    constraint "name takes 1 to 100 characters" check (length(name) between 1 and 100),
  -- The one that counts, and the highest that was ever given away: no number is used twice.
  revision integer not null default 1,
  last_revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint annotations_name unique (user_id, dataset_id, name)
);

-- Each state of an annotation since it was made: never changed, only added and dropped.
create table cellfolio.annotation_revisions (
  annotation_id uuid not null references cellfolio.annotations (id) on delete cascade,
  revision integer not null,
  -- Of the dataset.
  version text not null,
  at timestamptz not null default now(),
  words text not null
    constraint "words takes 2,000 characters at most" check (length(words) <= 2000),
  -- Cells whose label changed.
  cells integer not null,
  -- In order, each with name, colour and number of cells.
  groups jsonb not null
    constraint "groups takes 512 KiB at most" check (octet_length(groups::text) <= 524288),
  unlabelled integer not null,
  -- A signed integer of one or two bytes for each cell, -1 for none, as gzip.
  codes bytea not null,
  primary key (annotation_id, revision)
);
-- They are packed already.
alter table cellfolio.annotation_revisions alter column codes set storage external;

-- Barcodes of the versions of datasets that annotations are of, so that labels can be carried over to the next one when
-- this one is gone: lines of text, as gzip.
create table cellfolio.annotated_versions (
  dataset_id text not null,
  version text not null,
  barcodes bytea not null,
  created_at timestamptz not null default now(),
  primary key (dataset_id, version)
);
alter table cellfolio.annotated_versions alter column barcodes set storage external;

alter table cellfolio.annotations enable row level security;
alter table cellfolio.annotation_revisions enable row level security;
alter table cellfolio.annotated_versions enable row level security;
revoke all on cellfolio.annotations, cellfolio.annotation_revisions, cellfolio.annotated_versions
  from public, anon, authenticated;

create function cellfolio.most_annotations() returns integer
  language sql immutable
  as $$ select 100 $$;

-- Of all revisions of all annotations of a user.
create function cellfolio.most_annotation_bytes() returns integer
  language sql immutable
  as $$ select 100000000 $$;

create function cellfolio.limit_annotations() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.annotations:' || new.user_id::text, 0));
      if (select count(*) from cellfolio.annotations where user_id = new.user_id and dataset_id = new.dataset_id) > 20
      then
        raise exception using errcode = 'PT409', message = 'There is room for 20 annotations of one dataset.',
          hint = 'Delete annotations that are no longer needed, then try again.';
      end if;
      if (select count(*) from cellfolio.annotations where user_id = new.user_id) > cellfolio.most_annotations() then
        raise exception using errcode = 'PT409',
          message = format('There is room for %s annotations.', cellfolio.most_annotations()),
          hint = 'Delete annotations that are no longer needed, then try again.';
      end if;
      return null;
    end
  $$;

-- The latest twenty states are kept, and fewer where they take too much room together.
create function cellfolio.limit_annotation_revisions() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      owner uuid;
    begin
      select user_id into owner from cellfolio.annotations where id = new.annotation_id;
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.annotations:' || owner::text, 0));
      delete from cellfolio.annotation_revisions
        where annotation_id = new.annotation_id and revision <= (
          select revision from cellfolio.annotation_revisions where annotation_id = new.annotation_id
          order by revision desc offset 20 limit 1);
      if (select sum(octet_length(r.codes)) from cellfolio.annotation_revisions r
          join cellfolio.annotations a on a.id = r.annotation_id where a.user_id = owner)
          > cellfolio.most_annotation_bytes() then
        raise exception using errcode = 'PT409',
          message = format('Annotations may take %s MB together.', cellfolio.most_annotation_bytes() / 1000000),
          hint = 'Delete annotations that are no longer needed, then try again.';
      end if;
      return null;
    end
  $$;
revoke all on function
  cellfolio.most_annotations(), cellfolio.most_annotation_bytes(),
  cellfolio.limit_annotations(), cellfolio.limit_annotation_revisions()
  from public, anon, authenticated;

create trigger annotations_limit after insert on cellfolio.annotations
  for each row execute function cellfolio.limit_annotations();
create trigger annotation_revisions_limit after insert on cellfolio.annotation_revisions
  for each row execute function cellfolio.limit_annotation_revisions();
