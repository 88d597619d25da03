-- Annotations of a link's maker that its view uses, each {id, name}, with the revision where labels are shared: other
-- labels make another link.
alter table cellfolio.links
  add column labels jsonb not null default '[]'
    constraint "labels takes 16 KiB at most" check (octet_length(labels::text) <= 16384);
drop index cellfolio.links_user_address;
create unique index links_user_address on cellfolio.links (user_id, md5(address || labels::text));

-- Labels that a user shared with a link, copied as they were. They go with the link, and with the annotation: deleting
-- it takes its labels out of all links.
create table cellfolio.link_labels (
  link_id text not null references cellfolio.links (id) on delete cascade,
  annotation_id uuid not null references cellfolio.annotations (id) on delete cascade,
  -- The rest as in annotations and annotation_revisions.
  name text not null,
  version text not null,
  words text not null,
  groups jsonb not null,
  unlabelled integer not null,
  codes bytea not null,
  primary key (link_id, annotation_id)
);
alter table cellfolio.link_labels alter column codes set storage external;
create index link_labels_annotation on cellfolio.link_labels (annotation_id);

alter table cellfolio.link_labels enable row level security;
revoke all on cellfolio.link_labels from public, anon, authenticated;

-- A user's shared labels take as many bytes as their annotations may: new ones push out those of the links that were
-- unused for longest.
create function cellfolio.limit_link_labels() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      owner uuid;
    begin
      for owner in select distinct k.user_id from added join cellfolio.links k on k.id = added.link_id order by 1 loop
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.link_labels:' || owner::text, 0));
        delete from cellfolio.link_labels l using (
          select s.link_id, s.annotation_id, sum(octet_length(s.codes) + octet_length(s.groups::text))
            over (order by k.used_at desc, k.created_at desc, k.id, s.annotation_id) as bytes
          from cellfolio.link_labels s join cellfolio.links k on k.id = s.link_id where k.user_id = owner) sized
        where l.link_id = sized.link_id and l.annotation_id = sized.annotation_id
          and sized.bytes > cellfolio.most_annotation_bytes();
      end loop;
      return null;
    end
  $$;
revoke all on function cellfolio.limit_link_labels() from public, anon, authenticated;

create trigger link_labels_limit after insert on cellfolio.link_labels
  referencing new table as added
  for each statement execute function cellfolio.limit_link_labels();
