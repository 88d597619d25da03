-- Files ask the same rule as everything else what a plan allows. With a body that is read when the function is made,
-- so that whoever uploads needs no right on the schema of the rule.
create or replace function public.may_store_user_file(object_name text) returns boolean
  language sql stable
  return
    (storage.foldername(object_name))[1] = (select auth.uid())::text
    and lower(storage.filename(object_name)) ~ '.\.(mtx|tsv|h5ad)$'
    and cellfolio.is_professional((select auth.uid()));
