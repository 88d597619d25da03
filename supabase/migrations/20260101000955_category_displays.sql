-- Order and colours that a user gave the categories of a column of a dataset: only they see them. Each change is a row of
-- its own, never changed, the latest one counts. The server alone reads and writes here, in the private schema.
create table cellfolio.category_displays (
  user_id uuid not null references auth.users (id) on delete cascade,
  dataset_id text not null
    constraint "dataset_id takes 200 characters at most" check (length(dataset_id) <= 200),
  -- Of obs.
  column_name text not null
    constraint "column_name takes 500 characters at most" check (length(column_name) <= 500),
  revision integer not null,
  -- In order, each with its name in the dataset and the colour that was chosen, if any; null for those of the dataset.
  categories jsonb
    constraint "categories takes 512 KiB at most" check (octet_length(categories::text) <= 524288),
  at timestamptz not null default now(),
  primary key (user_id, dataset_id, column_name, revision)
);

alter table cellfolio.category_displays enable row level security;
revoke all on cellfolio.category_displays from public, anon, authenticated;

-- Columns of a user, of all datasets.
create function cellfolio.most_category_displays() returns integer
  language sql immutable
  as $$ select 500 $$;

-- Of the columns of a user together.
create function cellfolio.most_category_display_bytes() returns integer
  language sql immutable
  as $$ select 10000000 $$;

-- The latest twenty states of a column are kept, so that figures that name one can be drawn again, and the latest one
-- alone where they take too much room together. Columns that were reset do not count.
create function cellfolio.limit_category_displays() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      of_dataset integer;
      of_user integer;
      bytes bigint;
    begin
      perform pg_advisory_xact_lock(hashtextextended('cellfolio.category_displays:' || new.user_id::text, 0));
      delete from cellfolio.category_displays
        where user_id = new.user_id and dataset_id = new.dataset_id and column_name = new.column_name
          and revision <= new.revision - 20;
      select coalesce(sum(octet_length(categories::text)), 0) into bytes
        from cellfolio.category_displays where user_id = new.user_id;
      if bytes > cellfolio.most_category_display_bytes() then
        delete from cellfolio.category_displays d where user_id = new.user_id and exists (
          select from cellfolio.category_displays later
          where later.user_id = d.user_id and later.dataset_id = d.dataset_id
            and later.column_name = d.column_name and later.revision > d.revision);
      end if;
      select count(*) filter (where dataset_id = new.dataset_id), count(*), coalesce(sum(size), 0)
        into of_dataset, of_user, bytes
        from (
          select distinct on (dataset_id, column_name) dataset_id, octet_length(categories::text) as size
          from cellfolio.category_displays where user_id = new.user_id
          order by dataset_id, column_name, revision desc
        ) latest where size is not null;
      if of_dataset > 100 then
        raise exception using errcode = 'PT409',
          message = 'There is room for the orders and colours of 100 columns of one dataset.',
          hint = 'Reset columns to the dataset’s own, then try again.';
      end if;
      if of_user > cellfolio.most_category_displays() or bytes > cellfolio.most_category_display_bytes() then
        raise exception using errcode = 'PT409',
          message = format('There is room for the orders and colours of %s columns, %s MB together.',
            cellfolio.most_category_displays(), cellfolio.most_category_display_bytes() / 1000000),
          hint = 'Reset columns to the dataset’s own, then try again.';
      end if;
      return null;
    end
  $$;
revoke all on function
  cellfolio.most_category_displays(), cellfolio.most_category_display_bytes(), cellfolio.limit_category_displays()
  from public, anon, authenticated;

create trigger category_displays_limit after insert on cellfolio.category_displays
  for each row execute function cellfolio.limit_category_displays();
