-- Two subsets of one name on one dataset could not be told apart, neither in a list nor in the title of a figure. Older
-- namesakes get a number behind their name, the first one keeps it.

do $$
  declare
    namesake record;
    number integer;
    free text;
  begin
    for namesake in
      select id, user_id, dataset_name, disease_name, btrim(subset_name) as name from (
        select *, row_number() over (
          partition by user_id, dataset_name, disease_name, btrim(subset_name) order by created_at, id
        ) as place
        from public.subset_metadata
      ) numbered
      where place > 1
      order by created_at, id
    loop
      number := 2;
      loop
        free := left(namesake.name, 190) || format(' (%s)', number);
        exit when not exists (
          select from public.subset_metadata other
          where other.user_id = namesake.user_id
            and other.dataset_name is not distinct from namesake.dataset_name
            and other.disease_name is not distinct from namesake.disease_name
            and btrim(other.subset_name) = free
        );
        number := number + 1;
      end loop;
      update public.subset_metadata set subset_name = free where id = namesake.id;
    end loop;
  end
$$;

-- By digests, for a row of an index holds fewer bytes than the names may have.
create unique index subset_metadata_name on public.subset_metadata
  (user_id, md5(dataset_name), md5(disease_name), md5(btrim(subset_name))) nulls not distinct;
