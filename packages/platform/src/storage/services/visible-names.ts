import type { Caller, Database } from '../../database/database.ts';

/** Those of the names that the caller may see. */
export async function visibleNames(
  database: Database,
  caller: Caller,
  bucketId: string,
  names: readonly string[],
): Promise<Set<string>> {
  // A name with a NUL is no name, and the database would not read it.
  const legal = names.filter((name) => !name.includes('\0') && name.isWellFormed());
  const { rows } = await database.as(
    caller,
    (client) =>
      client.query<{ name: string }>(
        'select name from storage.objects where bucket_id = $1 and name = any($2::text[])',
        [bucketId, legal],
      ),
    { readOnly: true },
  );
  return new Set(rows.map(({ name }) => name));
}
