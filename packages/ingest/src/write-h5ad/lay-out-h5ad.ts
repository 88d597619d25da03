import { assetsUnsKey, type Column, type NumericType, type Table } from '@cellfolio/model';
import { arrayNode, bytesOf, columnNode, type ColumnPart } from './column-nodes.ts';
import type { Carried } from '../carried/carried-nodes.ts';
import type { PlacedElement } from '../carried/place-carried.ts';
import { maxInt32, proteinFrame, safelyNamed } from './encodings.ts';
import {
  anndataNode,
  dictNode,
  frameNode,
  sparseNode,
  tableNode,
  unsNodes,
  type UnsValue,
} from './h5ad-nodes.ts';
import { type FileLayout, type H5Node, layOutFile } from './lay-out-file.ts';

export type H5adSource =
  | { readonly of: 'names' }
  | { readonly of: 'column'; readonly name: string; readonly part: ColumnPart }
  | { readonly of: 'embedding'; readonly name: string }
  | { readonly of: 'asset'; readonly name: string }
  | Carried
  | { readonly of: 'entries'; readonly path: MatrixPath; readonly part: 'cells' | 'values' };

export type MatrixPath = 'X' | 'layers/counts';

export interface StreamedMatrix {
  readonly valueType: NumericType;
  /** geneCount + 1 rising offsets: entries in the file's cells before each gene, and in total. */
  readonly starts: Float64Array;
}

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
  readonly returned?: readonly PlacedElement[];
}

/** Lays out an .h5ad file in current anndata encodings. Throws TooLongForHdf5. */
export function layOutH5ad(content: StreamedH5ad): FileLayout<H5adSource> {
  const { cellCount, obs, obsm, proteins, X, counts, uns, assets = [], returned = [] } = content;
  const embeddings = obsm.map(({ name, dimensions, type }) => {
    const source = { of: 'embedding', name } as const;
    return [name, arrayNode<H5adSource>(type, [cellCount, dimensions], { source })] as const;
  });
  const tables =
    proteins === undefined ? [] : [[proteinFrame.key, proteinNode(proteins, obs, cellCount)] as const];
  return layOutFile(
    anndataNode<H5adSource>({
      obs: obsNode(obs, cellCount),
      var: tableNode(content.var),
      uns: dictNode(safelyNamed([...unsNodes<H5adSource>(uns), ...assetsNodes(assets)])),
      obsm: [...embeddings, ...tables],
      X: matrixNode('X', X, cellCount),
      layers: counts ? [['counts', matrixNode('layers/counts', counts, cellCount)]] : [],
      returned: returned.map(({ path, node }) => [path, node]),
    }),
  );
}

function obsNode({ indexName, nameHeaps, columns }: StreamedH5ad['obs'], rows: number): H5Node<H5adSource> {
  const members = columns.map(({ name, column, heaps }) => {
    const contentOf = (part: ColumnPart) => ({
      source: { of: 'column', name, part } as const,
      ...(part === 'values' && heaps && { heapSizes: heaps }),
    });
    return [name, columnNode<H5adSource>(column, rows, contentOf)] as const;
  });
  return frameNode(indexName, namesNode(rows, nameHeaps), members);
}

function namesNode(rows: number, nameHeaps: Float64Array): H5Node<H5adSource> {
  return arrayNode('string', [rows], { source: { of: 'names' }, heapSizes: nameHeaps });
}

function proteinNode(
  { columns }: NonNullable<StreamedH5ad['proteins']>,
  { nameHeaps }: StreamedH5ad['obs'],
  rows: number,
): H5Node<H5adSource> {
  const members = columns.map(({ name, column }) => {
    const source = { of: 'column', name: column, part: 'values' } as const;
    return [name, arrayNode<H5adSource>('float32', [rows], { source })] as const;
  });
  return frameNode(proteinFrame.indexName, namesNode(rows, nameHeaps), members);
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
  const entriesNode = (type: NumericType, part: 'cells' | 'values') =>
    arrayNode<H5adSource>(type, [entries], { source: { of: 'entries', path, part } });
  return sparseNode('csc', [cells, genes], {
    indptr: arrayNode(wide ? 'int64' : 'int32', [genes + 1], bytesOf(positions)),
    indices: entriesNode('int32', 'cells'),
    data: entriesNode(valueType, 'values'),
  });
}

function assetsNodes(assets: NonNullable<StreamedH5ad['assets']>): [string, H5Node<H5adSource>][] {
  if (assets.length === 0) return [];
  const members = assets.map(
    ({ name, size }) =>
      [name, arrayNode<H5adSource>('uint8', [size], { source: { of: 'asset', name } })] as const,
  );
  return [[assetsUnsKey, dictNode(safelyNamed(members))]];
}
