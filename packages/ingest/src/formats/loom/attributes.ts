import { type Column, packStrings, type PackedStrings, unpackStrings } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { readColumn, rowNames } from '../../layout/read-column.ts';
import { readColumns, withShortNames } from '../../layout/read-columns.ts';
import type { DataFrame } from '../../dataset-file.ts';

/** Attributes that name cells and genes, best first, in lower case: those of loompy, of anndata, then others. */
const nameAttributes = {
  obs: ['cellid', 'obs_names', 'cell_id', 'cell_names', 'barcode', 'barcodes', 'index', '_index'],
  var: [
    'gene',
    'var_names',
    'gene_name',
    'gene_names',
    'gene_symbol',
    'accession',
    'gene_id',
    'gene_ids',
    'index',
    '_index',
  ],
};
const maxListed = 12;

/** Attributes of cells or genes as a table, without the columns `left`. Throws H5adError. */
export function attributeTable(
  file: Hdf5File,
  path: string,
  what: 'obs' | 'var',
  left: ReadonlySet<string>,
): DataFrame {
  const names = file.kind(path) === 'group' ? file.children(path) : [];
  const indexName = nameAttributes[what]
    .flatMap((attribute) => names.filter((name) => name.toLowerCase() === attribute))
    .find((name) => file.kind(`${path}/${name}`) === 'dataset');
  if (indexName === undefined) throw noNames(file, path, what, names);
  const index = plainStrings(file, rowNames(file, `${path}/${indexName}`, what));
  const rowCount = index.offsets.length - 1;
  const columnNames = names.filter((name) => name !== indexName && !left.has(name));
  const { columns, skipped } = readColumns(file, path, columnNames, rowCount, (name) =>
    attributeColumn(file, `${path}/${name}`),
  );
  const stored = `as attributes of a Loom file, version ${specVersion(file)} of its specification`;
  return withShortNames(file, path, { table: { rowCount, indexName, index, columns }, stored, skipped });
}

export function attributeColumn(file: Hdf5File, path: string): Column | string {
  const column = readColumn(file, path, undefined);
  if (typeof column === 'string' || column.kind !== 'string') return column;
  return { ...column, strings: plainStrings(file, column.strings) };
}

function specVersion(file: Hdf5File): string {
  const path = 'attrs/LOOM_SPEC_VERSION';
  if (file.kind(path) !== 'dataset') return file.text('', 'LOOM_SPEC_VERSION') ?? '2';
  const info = file.dataset(path);
  return info.type.kind === 'string' ? (unpackStrings(file.strings(info))[0] ?? '3') : '3';
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Before version 3, text was ASCII with other characters as XML entities. */
function plainStrings(file: Hdf5File, strings: PackedStrings): PackedStrings {
  if (!strings.bytes.includes(0x26) || Number.parseInt(specVersion(file), 10) >= 3) return strings;
  const texts = unpackStrings(strings);
  const plain = texts.map(unescaped);
  // An entity and its character may be names of two groups.
  return new Set(plain).size === new Set(texts).size ? packStrings(plain) : strings;
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name as string) ?? (entity as string);
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (entity as string);
  });
}

function noNames(file: Hdf5File, path: string, what: 'obs' | 'var', names: readonly string[]): H5adError {
  const [cells, attribute] = what === 'obs' ? ['cells', 'CellID'] : ['genes', 'Gene'];
  const listed = names.slice(0, maxListed).join(', ') || 'none';
  return new H5adError({
    code: what === 'obs' ? 'no-obs-names' : 'no-var-names',
    path: file.path,
    part: path,
    problem: `no attribute names the ${cells}. The attributes are: ${listed}${names.length > maxListed ? '…' : ''}.`,
    hint: `Add the names under ${path}/${attribute}, as loompy does, and upload or import the file again.`,
  });
}
