-- What the build of a dataset warned of, as its owner reads it beside what was computed.
alter table cellfolio.custom_datasets add column warnings text[] not null default '{}';
