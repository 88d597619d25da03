-- How many subsets one user may save, and how much room they may take. What was saved before stays, and may be changed
-- as long as that takes no more room.

create function cellfolio.most_subsets() returns integer
  language sql immutable
  as $$ select 500 $$;

-- Bytes as the database keeps them: long values are compressed.
create function cellfolio.most_subset_bytes() returns integer
  language sql immutable
  as $$ select 20000000 $$;

-- What the subsets of each user take. By column: to measure a whole row, its long values would be read.
create view cellfolio.subset_use as
  select
    user_id,
    count(*) as subsets,
    sum(
      200 + pg_column_size(subset_name) + coalesce(pg_column_size(gene_symbol), 0)
      + coalesce(pg_column_size(selected_cell_types), 0) + coalesce(pg_column_size(filter_config), 0)
      + coalesce(pg_column_size(dataset_name), 0) + coalesce(pg_column_size(disease_name), 0)
    ) as bytes
  from public.subset_metadata
  group by user_id;
revoke all on cellfolio.subset_use from public, anon, authenticated;

create function cellfolio.limit_subset_metadata() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
      used cellfolio.subset_use;
    begin
      if exists (select from changed where cardinality(selected_cell_types) > 5000) then
        raise exception using
          errcode = 'PT400',
          message = 'A subset names at most 5,000 cell types.',
          hint = 'Choose fewer of them, then save it again.';
      end if;
      -- In one order, so that two inserts for several users cannot wait for each other.
      for owner in select distinct user_id from changed order by user_id loop
        -- Of two calls at once the second counts what the first has brought.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.subset_metadata:' || owner::text, 0));
        select * into used from cellfolio.subset_use where user_id = owner;
        if tg_op = 'INSERT' and used.subsets > cellfolio.most_subsets() then
          raise exception using
            errcode = 'PT409',
            message = format('There is room for %s saved subsets.', cellfolio.most_subsets()),
            hint = 'Delete subsets that are no longer needed, then save it again.';
        end if;
        if used.bytes > cellfolio.most_subset_bytes() then
          -- Whoever has more from before may still change it, and make it smaller.
          if tg_op = 'UPDATE' then
            continue when
              (select sum(octet_length(now_so::text)) from changed now_so where user_id = owner)
              <= (select sum(octet_length(before_so::text)) from replaced before_so where user_id = owner);
          end if;
          raise exception using
            errcode = 'PT409',
            message = format('Saved subsets may take %s MB together.', cellfolio.most_subset_bytes() / 1000000),
            hint = 'Delete subsets that are no longer needed, or name fewer genes and cell types, then save it again.';
        end if;
      end loop;
      return null;
    end
  $$;
revoke all on function
  cellfolio.most_subsets(), cellfolio.most_subset_bytes(), cellfolio.limit_subset_metadata()
  from public, anon, authenticated;

create trigger subset_metadata_limit_new after insert on public.subset_metadata
  referencing new table as changed
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_subset_metadata();
create trigger subset_metadata_limit_changed after update on public.subset_metadata
  referencing old table as replaced new table as changed
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function cellfolio.limit_subset_metadata();
