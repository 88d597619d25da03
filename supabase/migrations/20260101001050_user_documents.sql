-- What users keep under a name, each kind in the same two tables: gene lists, labels and numbers of cells, orders and
-- colours of categories, short links, analyses. The server alone reads and writes here, in the private schema, and its
-- `runtime/user-documents.ts` says what each kind may have.
create table cellfolio.user_documents (
  id text primary key default gen_random_uuid()::text,
  owner_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  -- Empty for a document of no dataset.
  dataset_id text not null default ''
    constraint "dataset_id takes 200 characters at most" check (length(dataset_id) <= 200),
  name text not null
    constraint "name takes 1 to 500 characters" check (length(name) between 1 and 500),
  -- The current state, and the highest number of one ever: no number is used twice.
  revision integer not null default 1,
  last_revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create unique index user_documents_name on cellfolio.user_documents (owner_id, kind, dataset_id, name);
create index user_documents_dataset on cellfolio.user_documents (dataset_id, kind) where dataset_id <> '';
create index user_documents_used_at on cellfolio.user_documents (kind, used_at);

-- States of documents: never changed, only added and deleted.
create table cellfolio.user_document_revisions (
  document_id text not null references cellfolio.user_documents (id) on delete cascade,
  revision integer not null,
  at timestamptz not null default now(),
  -- Null where the user went back to what a dataset has.
  body jsonb
    constraint "body takes 1 MiB at most" check (octet_length(body::text) <= 1048576),
  -- Values of cells, packed.
  bytes bytea,
  size integer not null generated always as
    (coalesce(octet_length(body::text), 0) + coalesce(octet_length(bytes), 0)) stored,
  primary key (document_id, revision)
);
alter table cellfolio.user_document_revisions alter column bytes set storage external;

alter table cellfolio.user_documents enable row level security;
alter table cellfolio.user_document_revisions enable row level security;
revoke all on cellfolio.user_documents, cellfolio.user_document_revisions from public, anon, authenticated;

insert into cellfolio.user_documents (id, owner_id, kind, name, revision, last_revision, created_at, updated_at, used_at)
  select id::text, user_id, 'gene-list', name, revision, revision, created_at, updated_at, updated_at
  from cellfolio.gene_lists;
insert into cellfolio.user_document_revisions (document_id, revision, at, body)
  select id::text, revision, updated_at, jsonb_build_object('genes', to_jsonb(genes)) from cellfolio.gene_lists;

insert into cellfolio.user_documents
    (id, owner_id, kind, dataset_id, name, revision, last_revision, created_at, updated_at, used_at)
  select id::text, user_id, 'annotation', dataset_id, name, revision, last_revision, created_at, updated_at, updated_at
  from cellfolio.annotations;
insert into cellfolio.user_document_revisions (document_id, revision, at, body, bytes)
  select r.annotation_id::text, r.revision, r.at,
    jsonb_build_object('numbers', a.numbers, 'version', r.version, 'words', r.words, 'cells', r.cells,
      'groups', r.groups, 'unlabelled', r.unlabelled),
    r.codes
  from cellfolio.annotation_revisions r join cellfolio.annotations a on a.id = r.annotation_id;

insert into cellfolio.user_documents
    (owner_id, kind, dataset_id, name, revision, last_revision, created_at, updated_at, used_at)
  select user_id, 'display', dataset_id, column_name, max(revision), max(revision), min(at), max(at), max(at)
  from cellfolio.category_displays group by user_id, dataset_id, column_name;
insert into cellfolio.user_document_revisions (document_id, revision, at, body)
  select u.id, d.revision, d.at, case when d.categories is not null then jsonb_build_object('categories', d.categories) end
  from cellfolio.category_displays d join cellfolio.user_documents u
    on u.kind = 'display' and u.owner_id = d.user_id and u.dataset_id = d.dataset_id and u.name = d.column_name;

insert into cellfolio.user_documents (id, owner_id, kind, name, created_at, updated_at, used_at)
  select id, user_id, 'link', md5(address || labels::text), created_at, created_at, used_at from cellfolio.links;
insert into cellfolio.user_document_revisions (document_id, revision, at, body)
  select id, 1, created_at, jsonb_build_object('address', address, 'labels', labels) from cellfolio.links;

-- Labels that came with a link: as the states of annotations.
create table cellfolio.shared_labels (
  link_id text not null references cellfolio.user_documents (id) on delete cascade,
  annotation_id text not null references cellfolio.user_documents (id) on delete cascade,
  name text not null,
  body jsonb not null,
  bytes bytea not null,
  size integer not null generated always as (octet_length(body::text) + octet_length(bytes)) stored,
  primary key (link_id, annotation_id)
);
alter table cellfolio.shared_labels alter column bytes set storage external;
create index shared_labels_annotation on cellfolio.shared_labels (annotation_id);
alter table cellfolio.shared_labels enable row level security;
revoke all on cellfolio.shared_labels from public, anon, authenticated;
insert into cellfolio.shared_labels (link_id, annotation_id, name, body, bytes)
  select l.link_id, l.annotation_id::text, l.name,
    jsonb_build_object('numbers', a.numbers, 'version', l.version, 'words', l.words, 'groups', l.groups,
      'unlabelled', l.unlabelled),
    l.codes
  from cellfolio.link_labels l join cellfolio.annotations a on a.id = l.annotation_id;

drop table cellfolio.link_labels, cellfolio.links, cellfolio.annotation_revisions, cellfolio.annotations,
  cellfolio.category_displays, cellfolio.gene_lists;
drop function cellfolio.limit_link_labels(), cellfolio.limit_links(), cellfolio.most_links(),
  cellfolio.limit_annotation_revisions(), cellfolio.limit_annotations(), cellfolio.most_annotations(),
  cellfolio.most_annotation_bytes(), cellfolio.limit_category_displays(), cellfolio.most_category_displays(),
  cellfolio.most_category_display_bytes(), cellfolio.limit_gene_lists(), cellfolio.most_gene_lists();
