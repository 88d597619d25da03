import { assetsUnsKey, type Column, type NumericType, packStrings, type Table } from '@cellfolio/model';
import {
  arrayNode,
  bytesOf,
  columnContent,
  columnNode,
  type ColumnPart,
  stringNode,
} from './column-nodes.ts';
import {
  anndataEncoding,
  dictEncoding,
  frameEncoding,
  maxInt32,
  proteinFrame,
  safelyNamed,
  sparseEncoding,
} from './encodings.ts';
import { type FileLayout, type H5Group, type H5Node, layOutFile } from './lay-out-file.ts';

export type H5adSource =
  | { readonly of: 'names' }
  | { readonly of: 'column'; readonly name: string; readonly part: ColumnPart }
  | { readonly of: 'embedding'; readonly name: string }
  | { readonly of: 'asset'; readonly name: string }
  | { readonly of: 'entries'; readonly path: MatrixPath; readonly part: 'cells' | 'values' };

export type MatrixPath = 'X' | 'layers/counts';

export interface StreamedMatrix {
  readonly valueType: NumericType;
  /** geneCount + 1 rising offsets: entries in the file's cells before each gene, and in total. */
  readonly starts: Float64Array;
}

export type UnsValue = string | readonly string[] | { readonly [key: string]: UnsValue };

export interface StreamedH5ad {
  readonly cellCount: number;
  readonly obs: {
    readonly indexName: string;
    /** `heapSizes` of all row names. */
    readonly nameHeaps: Float64Array;
    readonly columns: readonly {
      readonly name: string;
      /** May have any number of rows, see `columnNode`. */
      readonly column: Column;
      /** Strings only. */
      readonly heaps?: Float64Array;
    }[];
  };
  readonly var: Table;
  readonly obsm: readonly {
    readonly name: string;
    readonly dimensions: number;
    readonly type: 'float32' | 'float64';
  }[];
  readonly proteins?:
    | {
        /** Name in the file, and the column that supplies the values. */
        readonly columns: readonly { readonly name: string; readonly column: string }[];
      }
    | undefined;
  readonly X: StreamedMatrix;
  readonly counts?: StreamedMatrix | undefined;
  readonly uns: { readonly [key: string]: UnsValue };
  /** Sizes in bytes. */
  readonly assets?: readonly { readonly name: string; readonly size: number }[];
}

const empty: H5Node<H5adSource> = { kind: 'group', attributes: dictEncoding, members: new Map() };

/** Lays out an .h5ad file in current anndata encodings. Throws TooLongForHdf5. */
export function layOutH5ad(content: StreamedH5ad): FileLayout<H5adSource> {
  const { cellCount, obs, obsm, proteins, X, counts, uns, assets = [] } = content;
  const layers = new Map<string, H5Node<H5adSource>>();
  if (counts) layers.set('counts', matrixNode('layers/counts', counts, cellCount));
  const embeddings = safelyNamed(obsm.map((one) => [one.name, one] as const)).map(
    ([name, { name: source, dimensions, type }]) =>
      [
        name,
        arrayNode<H5adSource>(type, [cellCount, dimensions], { source: { of: 'embedding', name: source } }),
      ] as const,
  );
  const tables: [string, H5Node<H5adSource>][] =
    proteins === undefined ? [] : [[proteinFrame.key, proteinNode(proteins, obs, cellCount)]];
  return layOutFile<H5adSource>({
    kind: 'group',
    attributes: anndataEncoding,
    members: new Map<string, H5Node<H5adSource>>([
      ['obs', obsNode(obs, cellCount)],
      ['var', varNode(content.var)],
      ['uns', withAssets(unsNode(uns) as H5Group<H5adSource>, assets)],
      ['obsm', { ...empty, members: new Map([...embeddings, ...tables]) } as H5Group<H5adSource>],
      ['varm', { ...empty }],
      ['obsp', { ...empty }],
      ['varp', { ...empty }],
      ['X', matrixNode('X', X, cellCount)],
      ['layers', { ...empty, members: layers } as H5Group<H5adSource>],
    ]),
  });
}

function obsNode({ indexName, nameHeaps, columns }: StreamedH5ad['obs'], rows: number): H5Node<H5adSource> {
  const index = safelyNamed([[indexName, null]])[0]![0];
  const members = safelyNamed(
    columns.map((one) => [one.name, one] as const),
    [index],
  ).map(([name, { name: source, column, heaps }]) => {
    const contentOf = (part: ColumnPart) => ({
      source: { of: 'column', name: source, part } as const,
      ...(part === 'values' && heaps && { heapSizes: heaps }),
    });
    return [name, columnNode<H5adSource>(column, rows, contentOf)] as const;
  });
  return frameNode(index, namesNode(rows, nameHeaps), members);
}

function namesNode(rows: number, nameHeaps: Float64Array): H5Node<H5adSource> {
  return arrayNode('string', [rows], { source: { of: 'names' }, heapSizes: nameHeaps });
}

function proteinNode(
  { columns }: NonNullable<StreamedH5ad['proteins']>,
  { nameHeaps }: StreamedH5ad['obs'],
  rows: number,
): H5Node<H5adSource> {
  const { indexName } = proteinFrame;
  const members = proteinFrame.columns(columns.map(({ name }) => name)).map((name, at) => {
    const source = { of: 'column', name: columns[at]!.column, part: 'values' } as const;
    return [name, arrayNode<H5adSource>('float32', [rows], { source })] as const;
  });
  return frameNode(indexName, namesNode(rows, nameHeaps), members);
}

function varNode({ rowCount, indexName, index, columns }: Table): H5Node<H5adSource> {
  const own = safelyNamed([[indexName, null]])[0]![0];
  const members = safelyNamed([...columns], [own]).map(
    ([name, column]) =>
      [name, columnNode<H5adSource>(column, rowCount, (part) => columnContent(column, part))] as const,
  );
  return frameNode(own, arrayNode('string', [rowCount], index), members);
}

function frameNode(
  index: string,
  names: H5Node<H5adSource>,
  columns: readonly (readonly [string, H5Node<H5adSource>])[],
): H5Node<H5adSource> {
  return {
    kind: 'group',
    attributes: frameEncoding(
      index,
      columns.map(([name]) => name),
    ),
    members: new Map([[index, names], ...columns]),
  };
}

function matrixNode(
  path: MatrixPath,
  { valueType, starts }: StreamedMatrix,
  cells: number,
): H5Node<H5adSource> {
  const genes = starts.length - 1;
  const entries = starts[genes]!;
  const wide = entries > maxInt32;
  const positions = wide ? BigInt64Array.from(starts, BigInt) : Int32Array.from(starts);
  const plain = (node: H5Node<H5adSource>): H5Node<H5adSource> => ({ ...node, attributes: {} });
  return {
    kind: 'group',
    attributes: sparseEncoding('csc', [cells, genes]),
    members: new Map([
      ['indptr', plain(arrayNode(wide ? 'int64' : 'int32', [genes + 1], bytesOf(positions)))],
      ['indices', plain(arrayNode('int32', [entries], { source: { of: 'entries', path, part: 'cells' } }))],
      ['data', plain(arrayNode(valueType, [entries], { source: { of: 'entries', path, part: 'values' } }))],
    ]),
  };
}

function withAssets(
  uns: H5Group<H5adSource>,
  assets: NonNullable<StreamedH5ad['assets']>,
): H5Group<H5adSource> {
  if (assets.length === 0) return uns;
  const members = safelyNamed(assets.map((asset) => [asset.name, asset] as const)).map(
    ([name, asset]) =>
      [
        name,
        arrayNode<H5adSource>('uint8', [asset.size], { source: { of: 'asset', name: asset.name } }),
      ] as const,
  );
  const group = { kind: 'group', attributes: dictEncoding, members: new Map(members) } as const;
  return { ...uns, members: new Map([...uns.members, [assetsUnsKey, group]]) };
}

function unsNode(value: UnsValue): H5Node<H5adSource> {
  if (typeof value === 'string') {
    return {
      kind: 'array',
      type: 'string',
      shape: [],
      content: packStrings([value]),
      attributes: { 'encoding-type': 'string', 'encoding-version': '0.2.0' },
    };
  }
  if (Array.isArray(value)) return stringNode(value as readonly string[]);
  const members = safelyNamed(Object.entries(value as { readonly [key: string]: UnsValue }));
  return {
    kind: 'group',
    attributes: dictEncoding,
    members: new Map(members.map(([name, member]) => [name, unsNode(member)])),
  };
}
