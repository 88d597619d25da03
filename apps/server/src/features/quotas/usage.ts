import type { Database } from '@cellfolio/platform';
import { documentKinds } from '../../runtime/user-documents.ts';
import { limits } from '../../runtime/limits/limits.ts';

export interface UserFileLimits {
  quotaBytes: number;
  objects: number;
}

export interface TableUse {
  rows: number;
  /** As stored in the database, long values compressed; for files, the files themselves. */
  bytes: number;
}

const kinds = [
  'files',
  'images',
  'subsets',
  'links',
  'annotations',
  'displays',
  'geneLists',
  'analyses',
  'questions',
  'modelConsents',
  'jobs',
  'tabs',
  'sessions',
  'identities',
  'keys',
] as const;
type UsedKind = (typeof kinds)[number];

interface UserUse {
  id: string;
  /** Empty for an account without e-mail. */
  email: string;
  bytes: number;
  use: Readonly<Record<UsedKind, TableUse>>;
}

export interface Usage {
  /** Largest users first. */
  users: readonly UserUse[];
  totals: Readonly<Record<UsedKind, TableUse>>;
  messages: TableUse;
  /** Limits per user; null for no limit of its own. */
  limits: Readonly<Record<UsedKind, { rows: number | null; bytes: number | null }>>;
}

/**
 * Columns of variable length, by table and owner. They are measured one by one, since measuring a whole row would read
 * it.
 */
const sources: Record<
  Exclude<UsedKind, 'files' | 'subsets' | keyof typeof documentUse>,
  { table: string; owner?: string; sized: readonly string[] }
> = {
  images: { table: 'public.generated_images', sized: ['image_data', 'figure_source', 'title', 'subtitle'] },
  jobs: { table: 'cellfolio.jobs', owner: 'owner_id', sized: ['request', 'log', 'problem', 'name'] },
  tabs: { table: 'cellfolio.active_datasets', sized: ['subset'] },
  sessions: { table: 'auth.sessions', sized: ['user_agent', 'amr'] },
  identities: { table: 'auth.identities', sized: ['identity_data'] },
  keys: { table: 'cellfolio.api_keys', sized: ['name'] },
};

/** Approximate bytes of a row besides its long columns. */
const rowBytes = 200;

function sizeOf(columns: readonly string[]): string {
  const long = columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ');
  return `coalesce(sum(${rowBytes} + ${long}), 0)`;
}

/** File bytes are those of the objects, also where a row is missing. */
const files = `
  select 'files' as kind, owner, coalesce(listed.rows, 0) as rows, coalesce(stored.bytes, 0) as bytes
  from (select user_id::text as owner, count(*) as rows from public.user_files group by user_id) listed
  full join (
    select (string_to_array(name, '/'))[1] as owner, sum((metadata ->> 'size')::bigint) as bytes
    from storage.objects where bucket_id = 'user-files' group by 1
  ) stored using (owner)`;

/** Names of kinds of documents here. */
const documentUse = {
  links: documentKinds.link,
  annotations: documentKinds.annotation,
  displays: documentKinds.display,
  geneLists: documentKinds.geneList,
  analyses: documentKinds.analysis,
  questions: documentKinds.question,
  modelConsents: documentKinds.modelConsent,
};

/** Links with the labels that were shared with them. */
const documents = Object.entries(documentUse).map(
  ([use, { kind }]) => `
  select '${use}', d.owner_id::text, count(distinct d.id), coalesce(sum(${rowBytes} + r.size), 0)
    + coalesce(sum((select sum(l.size) from cellfolio.shared_labels l where l.link_id = d.id)), 0)
  from cellfolio.user_documents d join cellfolio.user_document_revisions r on r.document_id = d.id
  where d.kind = '${kind}' group by d.owner_id`,
);

const ofOwners = [
  files,
  ...documents,
  `select 'subsets', user_id::text, subsets, bytes from cellfolio.subset_use`,
  ...Object.entries(sources).map(
    ([kind, { table, owner = 'user_id', sized }]) =>
      `select '${kind}', ${owner}::text, count(*), ${sizeOf(sized)} from ${table} group by ${owner}`,
  ),
].join(' union all ');

interface UseRow {
  kind: UsedKind;
  owner: string;
  email: string | null;
  rows: number;
  bytes: number;
}

/**
 * The usage of each user, against their limits. Reads every row of the users' tables, but not the long values in them:
 * for an operator's command, not for a timer.
 */
export async function listUsage(
  { pool }: Pick<Database, 'pool'>,
  { quotaBytes }: { /** File quota of the plan that includes files. */ quotaBytes: number },
): Promise<Usage> {
  const { rows } = await pool.query<UseRow>(
    `select used.kind, o.id as owner, u.email, used.rows::float8 as rows, used.bytes::float8 as bytes
     from (${ofOwners}) used join cellfolio.owners o on o.id::text = used.owner
     left join auth.users u on u.id = o.user_id order by o.created_at, o.id`,
  );
  const users = new Map<string, { email: string; use: Record<UsedKind, TableUse> }>();
  const totals = nothing();
  for (const row of rows) {
    const user = users.get(row.owner) ?? { email: row.email ?? '', use: nothing() };
    users.set(row.owner, user);
    user.use[row.kind] = { rows: row.rows, bytes: row.bytes };
    const total = totals[row.kind];
    totals[row.kind] = { rows: total.rows + row.rows, bytes: total.bytes + row.bytes };
  }
  const { rows: messages } = await pool.query<TableUse>(
    `select count(*)::float8 as rows, (${sizeOf(['name', 'email', 'subject', 'message'])})::float8 as bytes
     from public.contact_submissions`,
  );
  return {
    users: [...users]
      .map(([id, { email, use }]) => ({ id, email, bytes: bytesOf(use), use }))
      .sort((a, b) => b.bytes - a.bytes),
    totals,
    messages: messages[0]!,
    limits: {
      files: { rows: limits.files.value, bytes: quotaBytes },
      images: { rows: limits.images.value, bytes: null },
      subsets: { rows: limits.subsets.value, bytes: limits.subsetBytes.value },
      links: limitOf(documentKinds.link),
      annotations: limitOf(documentKinds.annotation),
      displays: limitOf(documentKinds.display),
      geneLists: limitOf(documentKinds.geneList),
      questions: limitOf(documentKinds.question),
      modelConsents: limitOf(documentKinds.modelConsent),
      analyses: limitOf(documentKinds.analysis),
      jobs: { rows: null, bytes: null },
      tabs: { rows: limits.tabs.value, bytes: null },
      sessions: { rows: limits.sessions.value, bytes: null },
      identities: { rows: limits.identities.value, bytes: null },
      keys: { rows: limits.keys.value, bytes: null },
    },
  };
}

function limitOf({ limits: of }: { limits: { documents: number; bytes?: number } }) {
  return { rows: of.documents, bytes: of.bytes ?? null };
}

function nothing(): Record<UsedKind, TableUse> {
  return Object.fromEntries(kinds.map((kind) => [kind, { rows: 0, bytes: 0 }])) as Record<UsedKind, TableUse>;
}

function bytesOf(use: Readonly<Record<UsedKind, TableUse>>): number {
  return Object.values(use).reduce((sum, { bytes }) => sum + bytes, 0);
}
