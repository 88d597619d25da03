import { type ArrayLayout, type AttributeValue, H5Output } from './hdf5-output.ts';
import type { CatalogueEntry } from '@cellfolio/model';

export type Hdf5Node = {
  attributes?: Readonly<Record<string, AttributeValue>>;
} & (
  | { kind: 'group' }
  | { kind: 'strings'; values: readonly string[] }
  | {
      kind: 'array';
      type: ArrayLayout['type'];
      shape: readonly number[];
      bytes: Uint8Array;
    }
);

const names = new Map<unknown, ArrayLayout['type']>([
  [Int8Array, 'int8'],
  [Uint8Array, 'uint8'],
  [Int32Array, 'int32'],
  [Float32Array, 'float32'],
  [Float64Array, 'float64'],
  [BigInt64Array, 'int64'],
  [BigUint64Array, 'uint64'],
]);

type Values =
  | Int8Array
  | Uint8Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

export function group(encoding?: string, more: Readonly<Record<string, AttributeValue>> = {}): Hdf5Node {
  const encoded: Record<string, AttributeValue> =
    encoding === undefined ? {} : { 'encoding-type': encoding, 'encoding-version': '0.1.0' };
  return { kind: 'group', attributes: { ...encoded, ...more } };
}

export function strings(values: readonly string[]): Hdf5Node {
  return { kind: 'strings', values };
}

export function array(values: Values, shape: readonly number[] = [values.length]): Hdf5Node {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { kind: 'array', type: names.get(values.constructor)!, shape, bytes };
}

/** Writes an HDF5 file of any content; parents must come before their children. */
export async function writeHdf5(
  path: string,
  content: readonly (readonly [path: string, node: Hdf5Node])[],
): Promise<void> {
  const output = await H5Output.create(path);
  try {
    for (const [name, node] of content) {
      if (node.kind === 'group') output.group(name, node.attributes ?? {});
      else if (node.kind === 'strings') output.strings(name, node.values);
      else {
        const { type, shape, bytes } = node;
        output.createArray(name, { type, shape });
        const offset = shape.map(() => 0);
        if (bytes.length > 0) output.writeArray(name, { offset, count: shape }, bytes);
      }
      if (node.kind !== 'group' && node.attributes) output.attributes(name, node.attributes);
    }
  } finally {
    output.close();
  }
}

/** X, obs and var of a small file of seeded counts, for tests to replace or remove parts. */
export function soundFile(cells: number, genes: number): Map<string, Hdf5Node> {
  const count = (cell: number, gene: number) =>
    (cell * 7 + gene * 13) % 5 === 0 ? 1 + ((cell + gene) % 9) : 0;
  const counts = Float32Array.from({ length: cells * genes }, (_, at) =>
    count(Math.floor(at / genes), at % genes),
  );
  const frame = (columns: readonly string[]) =>
    group('dataframe', { _index: '_index', 'column-order': columns });
  return new Map([
    ['', group('anndata')],
    ['X', array(counts, [cells, genes])],
    ['obs', frame([])],
    ['obs/_index', strings(Array.from({ length: cells }, (_, cell) => `CELL-${cell}`))],
    ['var', frame([])],
    ['var/_index', strings(Array.from({ length: genes }, (_, gene) => `GENE${gene}`))],
  ]);
}

export function frameOf(
  path: string,
  index: Hdf5Node,
  columns: ReadonlyMap<string, Hdf5Node>,
): (readonly [string, Hdf5Node])[] {
  return [
    [path, group('dataframe', { _index: '_index', 'column-order': [...columns.keys()] })],
    [`${path}/_index`, index],
    ...Array.from(columns, ([name, node]) => [`${path}/${name}`, node] as const),
  ];
}

export function fixtureCatalogue(name: string): CatalogueEntry {
  return {
    name,
    disease: 'Healthy',
    subdisease: 'Blood',
    category1: '',
    category2: '',
    description: '',
    simulated: true,
  };
}
