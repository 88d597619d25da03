import type { PoolClient } from 'pg';

/** A table of ours, as a dump holds it. */
export interface DumpTable {
  /** Quoted where it must be: `public.user_files`. */
  readonly name: string;
  /** Columns that hold values of their own; generated ones are computed again. Quoted where they must be. */
  readonly columns: readonly string[];
}

/** Schemas that are ours everywhere; `storage` is where we made it, and a hosted project's own affair there. */
const ours = ['auth', 'public', 'cellfolio'];

/** Every table of ours, those that others refer to first. What has been migrated is the restoring program's affair. */
export async function dumpTables(client: PoolClient): Promise<DumpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; parents: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(select quote_ident(a.attname)::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select format('%I.%I', pn.nspname, p.relname) from pg_constraint k
             join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
             where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r'
       and (n.nspname = any($1) or (n.nspname = 'storage' and not exists (
         select from pg_roles where rolname = 'supabase_auth_admin')))
       and not (n.nspname = 'cellfolio' and c.relname = 'migrations')
     order by n.nspname, c.relname`,
    [ours],
  );
  return parentsFirst(rows);
}

export function parentsFirst<T extends { readonly name: string; readonly parents: readonly string[] }>(
  tables: readonly T[],
): T[] {
  const sorted: T[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const left = new Set(waiting.map(({ name }) => name));
    const free = waiting.filter(({ parents }) => !parents.some((parent) => left.has(parent)));
    // Tables that refer to each other in a ring have no order; any will do where the restoring role may defer checks.
    const next = free.length > 0 ? free : waiting;
    sorted.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return sorted;
}
