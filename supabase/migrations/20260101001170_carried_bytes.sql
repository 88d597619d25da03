-- What datasets keep of their files for exports has the room that the quota leaves beside the files themselves.
alter table cellfolio.custom_datasets
  add column carried_bytes bigint not null default 0;
