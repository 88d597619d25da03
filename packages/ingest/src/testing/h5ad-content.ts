import { File, ready } from 'h5wasm/node';
import { type ArrayLayout, type AttributeValue, H5Output } from './hdf5-output.ts';
import type { SeededRandom } from './simulated-files.ts';

type Numbers = { layout: ArrayLayout; values?: readonly number[] };
export type Node =
  | { kind: 'group'; attributes: Record<string, AttributeValue> }
  | { kind: 'strings'; values: string[]; attributes: Record<string, AttributeValue> }
  | { kind: 'numbers'; numbers: Numbers; attributes: Record<string, AttributeValue> }
  | { kind: 'soft' | 'hard'; target: string }
  | { kind: 'external'; file: string; target: string };
/** File content by path; parents come before their children. */
export type Content = Map<string, Node>;

export const cells = 14;
export const genes = 6;

export const group = (encoding: string, more: Record<string, AttributeValue> = {}): Node => ({
  kind: 'group',
  attributes: { 'encoding-type': encoding, 'encoding-version': '0.1.0', ...more },
});
export const array = (
  type: ArrayLayout['type'],
  values: readonly number[],
  shape = [values.length],
): Node => ({
  kind: 'numbers',
  numbers: { layout: { type, shape }, values },
  attributes: { 'encoding-type': 'array', 'encoding-version': '0.2.0' },
});
export const strings = (values: readonly string[]): Node => ({
  kind: 'strings',
  values: [...values],
  attributes: { 'encoding-type': 'string-array', 'encoding-version': '0.2.0' },
});
export const names = (count: number, what: string) =>
  Array.from({ length: count }, (_, at) => `${what}-${at}`);

export function soundContent(random: SeededRandom): Content {
  const indptr = [0];
  const indices: number[] = [];
  const data: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (let gene = 0; gene < genes; gene++) {
      if (!random.chance(0.5)) continue;
      indices.push(gene);
      data.push(1 + random.below(9));
    }
    indptr.push(indices.length);
  }
  const frame = (columns: readonly string[]) =>
    group('dataframe', { _index: '_index', 'column-order': columns });
  return new Map<string, Node>([
    ['obs', frame(['cell_type', 'depth'])],
    ['obs/_index', strings(names(cells, 'cell'))],
    ['obs/cell_type', group('categorical', { ordered: { uint8: 0 } })],
    [
      'obs/cell_type/codes',
      array(
        'int8',
        Array.from({ length: cells }, (_, cell) => cell % 3),
      ),
    ],
    ['obs/cell_type/categories', strings(['B cell', 'T cell', 'Monocyte'])],
    [
      'obs/depth',
      array(
        'float64',
        Array.from({ length: cells }, () => random.fraction()),
      ),
    ],
    ['var', frame([])],
    ['var/_index', strings(names(genes, 'GENE'))],
    ['obsm', group('dict')],
    [
      'obsm/X_umap',
      array(
        'float32',
        Array.from({ length: cells * 2 }, () => random.fraction()),
        [cells, 2],
      ),
    ],
    ['X', group('csr_matrix', { shape: { int64: [cells, genes] } })],
    ['X/indptr', array('int32', indptr)],
    ['X/indices', array('int32', indices)],
    ['X/data', array('float32', data)],
  ]);
}

export async function writeContent(path: string, content: Content): Promise<void> {
  const output = await H5Output.create(path);
  const { FS: _, ...library } = await ready;
  const links: [string, Extract<Node, { kind: 'soft' | 'hard' | 'external' }>][] = [];
  output.attributes('', { 'encoding-type': 'anndata', 'encoding-version': '0.1.0' });
  try {
    for (const [name, node] of content) {
      if ('target' in node) links.push([name, node]);
      else write(output, name, node);
    }
  } finally {
    output.close();
  }
  if (links.length === 0) return;
  const file = new File(path, 'a');
  for (const [name, node] of links) {
    try {
      if (node.kind === 'external')
        library.create_external_link(file.file_id, node.file, node.target, `/${name}`);
      else if (node.kind === 'soft') library.create_soft_link(file.file_id, node.target, `/${name}`);
      else library.create_hard_link(file.file_id, node.target, `/${name}`);
    } catch {
      // A link that cannot be made is missing.
    }
  }
  file.close();
}

function write(
  output: H5Output,
  name: string,
  node: Exclude<Node, { kind: 'soft' | 'hard' | 'external' }>,
): void {
  try {
    if (node.kind === 'group') return output.group(name, node.attributes);
    if (node.kind === 'strings') output.strings(name, node.values);
    else {
      const { layout, values } = node.numbers;
      output.createArray(name, layout);
      if (values !== undefined && values.length > 0)
        output.writeArray(
          name,
          { offset: layout.shape.map(() => 0), count: layout.shape },
          bytesOf(layout.type, values),
        );
    }
    output.attributes(name, node.attributes);
  } catch {
    // See above.
  }
}

function bytesOf(type: ArrayLayout['type'], values: readonly number[]): Uint8Array {
  const whole = () =>
    values.map((value) => BigInt(Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? value : 0));
  const typed =
    type === 'int64'
      ? BigInt64Array.from(whole())
      : type === 'uint64'
        ? BigUint64Array.from(whole())
        : new {
            int8: Int8Array,
            uint8: Uint8Array,
            int16: Int16Array,
            uint16: Uint16Array,
            int32: Int32Array,
            uint32: Uint32Array,
            float32: Float32Array,
            float64: Float64Array,
          }[type](values);
  return new Uint8Array(typed.buffer);
}
