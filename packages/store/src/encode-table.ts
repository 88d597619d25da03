import type { Table } from '@cellfolio/model';
import { misshapenColumns } from '@cellfolio/model';
import type { PlannedNode } from './encode-column.ts';
import { encodeColumn, strings } from './encode-column.ts';
import { MisshapenData } from './errors.ts';

/** Attribute of a group: stored name to true name, of the members that could not be stored under theirs. */
export const namesAttribute = 'cellfolio-names';

/** The nodes of `obs` or `var`. Throws MisshapenData where a column has another length than the table. */
export function encodeTable(group: 'obs' | 'var', table: Table): PlannedNode[] {
  if (table.index.offsets.length - 1 !== table.rowCount) {
    throw new MisshapenData(`${group}/${table.indexName}`, `not one name for each of ${table.rowCount} rows`);
  }
  const [misshapen] = misshapenColumns(table);
  if (misshapen !== undefined) {
    throw new MisshapenData(`${group}/${misshapen}`, `not one value for each of ${table.rowCount} rows`);
  }
  const names = [...table.columns.keys()];
  // A column may be called as the index is, and may even differ from it.
  const indexName = table.columns.has(table.indexName) ? '_index' : table.indexName;
  const stored = storedNames([indexName, ...names]);
  const renamed = Object.fromEntries(
    [...stored].filter(([name, as]) => name !== as).map(([name, as]) => [as, name]),
  );
  const path = (name: string) => `${group}/${stored.get(name)!}`;
  return [
    {
      kind: 'group',
      path: group,
      attributes: {
        'encoding-type': 'dataframe',
        'encoding-version': '0.2.0',
        _index: stored.get(indexName)!,
        'column-order': names.map((name) => stored.get(name)!),
        ...(Object.keys(renamed).length > 0 ? { [namesAttribute]: renamed } : {}),
      },
    },
    strings(path(indexName), table.index),
    ...[...table.columns].flatMap(([name, column]) => encodeColumn(path(name), column)),
  ];
}

/** A distinct name for each of some names, the same wherever it can be a folder and a Zarr node. */
export function storedNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names.filter(isStorable));
  const stored = new Map<string, string>();
  for (const name of names) {
    if (isStorable(name)) {
      stored.set(name, name);
      continue;
    }
    const base =
      [...name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^[_.]+/, '')].slice(0, 40).join('') || 'column';
    let candidate = base;
    for (let n = 2; taken.has(candidate) || !isStorable(candidate); n++) candidate = `${base}_${n}`;
    taken.add(candidate);
    stored.set(name, candidate);
  }
  return stored;
}

/** Whether a name can be a folder and a Zarr node. */
export function isStorable(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    name !== 'zarr.json' &&
    !name.startsWith('__') &&
    !/[/\\\p{Cc}]/u.test(name) &&
    Buffer.byteLength(name) <= 200
  );
}
