import { proteinsPath } from '@cellfolio/store';

/** anndata encoding types, in the versions of anndata 0.8 and later. */
export const arrayEncoding = { 'encoding-type': 'array', 'encoding-version': '0.2.0' };
export const stringEncoding = { 'encoding-type': 'string-array', 'encoding-version': '0.2.0' };
export const dictEncoding = { 'encoding-type': 'dict', 'encoding-version': '0.1.0' };
export const anndataEncoding = { 'encoding-type': 'anndata', 'encoding-version': '0.1.0' };

export function frameEncoding(indexName: string, columns: readonly string[]) {
  return {
    'encoding-type': 'dataframe',
    'encoding-version': '0.2.0',
    _index: indexName,
    'column-order': columns,
  };
}

export function sparseEncoding(format: 'csr' | 'csc', shape: readonly [cells: number, genes: number]) {
  return { 'encoding-type': `${format}_matrix`, 'encoding-version': '0.1.0', shape: { int64: shape } };
}

/** Largest number of entries that scipy indexes with 32 bits. */
export const maxInt32 = 0x7fff_ffff;

/** Data frame of proteins in `obsm`, as written by scvi-tools. */
export const proteinFrame = {
  key: proteinsPath.slice('obsm/'.length),
  indexName: '_index',
  columns: (proteins: readonly string[]): string[] =>
    safelyNamed(
      proteins.map((name) => [name, null]),
      ['_index'],
    ).map(([name]) => name),
} as const;

/**
 * Makes names valid in HDF5: a slash would begin a group, and `.` means the group itself. Both become `_`, with a
 * number appended if that name exists.
 */
export function safelyNamed<T>(
  named: readonly (readonly [name: string, value: T])[],
  reserved: readonly string[] = [],
): (readonly [name: string, value: T])[] {
  const usedNames = new Set(reserved);
  // Names that are safe stay as they are.
  for (const [name] of named) if (isSafe(name)) usedNames.add(name);
  return named.map(([name, value]) => {
    if (isSafe(name) && !reserved.includes(name)) return [name, value];
    const plain = isSafe(name) ? name : name.replaceAll(/[/\0]/g, '_').replace(/^\.?$/, '_');
    let own = plain;
    for (let n = 2; usedNames.has(own); n++) own = `${plain}_${n}`;
    usedNames.add(own);
    return [own, value];
  });
}

function isSafe(name: string): boolean {
  return name !== '' && name !== '.' && !/[/\0]/.test(name);
}
