-- A file of a dataset that CELLxGENE Discover accepts is made by a job.
alter table cellfolio.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check
    check (kind in ('inspect', 'convert', 'build', 'download', 'combine', 'subset', 'copy', 'cellxgene'));
