-- The version of the dataset that a tab has opened: with another one its subsets and its pictures would not fit.
-- Null where the tab opened it before this was written down.
alter table cellfolio.active_datasets add column version text;
