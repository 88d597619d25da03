-- A number for each cell that an analysis computed, kept under a name as a column of a dataset's obs that only its user
-- sees: an annotation of one revision, which has numbers in place of labels.
alter table cellfolio.annotations add column numbers boolean not null default false;

-- Of numbers: a float64 for each cell, little endian, NaN for none, as zstd; their groups are empty.
comment on column cellfolio.annotation_revisions.codes is
  'A signed integer of one or two bytes for each cell, or a float64 where the annotation has numbers; packed.';
