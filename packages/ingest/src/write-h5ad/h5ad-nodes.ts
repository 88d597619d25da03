import { packStrings, type Table } from '@cellfolio/model';
import { arrayNode, columnContent, columnNode, stringNode } from './column-nodes.ts';
import { anndataEncoding, dictEncoding, frameEncoding, safelyNamed, sparseEncoding } from './encodings.ts';
import type { H5Array, H5Group, H5Node } from './lay-out-file.ts';

type Named<Source> = readonly (readonly [name: string, node: H5Node<Source>])[];

/** Parts of an .h5ad file; the names of embeddings and layers are made safe. */
export interface H5adParts<Source> {
  obs: H5Node<Source>;
  var: H5Node<Source>;
  X: H5Node<Source>;
  obsm: Named<Source>;
  layers: Named<Source>;
  uns: H5Node<Source>;
  raw?: H5Node<Source> | undefined;
  /** Elements by their paths; those of `obsm` and `uns` replace others of the same name. */
  returned?: Named<Source> | undefined;
}

export function anndataNode<Source>(parts: H5adParts<Source>): H5Group<Source> {
  const { obs, var: genes, X, obsm, layers, uns, raw, returned = [] } = parts;
  const root: H5Group<Source> = {
    kind: 'group',
    attributes: anndataEncoding,
    members: new Map<string, H5Node<Source>>([
      ['obs', obs],
      ['var', genes],
      ['uns', uns],
      ['obsm', dictNode(safelyNamed(obsm))],
      ['varm', dictNode([])],
      ['obsp', dictNode([])],
      ['varp', dictNode([])],
      ['X', X],
      ['layers', dictNode(safelyNamed(layers))],
      ...(raw ? [['raw', raw] as const] : []),
    ]),
  };
  const hasRaw = !raw && returned.some(([path]) => path.startsWith('raw/'));
  const own = hasRaw ? { ...root, members: new Map([...root.members, ['raw', emptyRaw]]) } : root;
  return withElements(own, returned);
}

const emptyRaw = {
  kind: 'group',
  attributes: { 'encoding-type': 'raw', 'encoding-version': '0.1.0' },
  members: new Map<string, never>(),
} as const;

/** Elements at their paths; groups that are not there are dicts. */
function withElements<Source>(root: H5Group<Source>, elements: Named<Source>): H5Group<Source> {
  const copies = new Map<string, H5Group<Source> & { members: Map<string, H5Node<Source>> }>();
  const copyOf = (path: string, group: H5Group<Source>) => {
    const copy = { ...group, members: new Map(group.members) };
    copies.set(path, copy);
    return copy;
  };
  const file = copyOf('', root);
  for (const [path, node] of elements) {
    const names = path.split('/');
    let group = file;
    for (const [at, name] of names.slice(0, -1).entries()) {
      const place = names.slice(0, at + 1).join('/');
      const member = group.members.get(name);
      const inner = copies.get(place) ?? copyOf(place, member?.kind === 'group' ? member : dictNode([]));
      group.members.set(name, inner);
      group = inner;
    }
    group.members.set(names.at(-1)!, node);
  }
  return file;
}

export function dictNode<Source>(members: Named<Source>): H5Group<Source> {
  return { kind: 'group', attributes: dictEncoding, members: new Map(members) };
}

/** A data frame; the names of its columns and of its index are made safe. */
export function frameNode<Source>(
  indexName: string,
  names: H5Node<Source>,
  columns: Named<Source>,
): H5Group<Source> {
  const index = safelyNamed([[indexName, null]])[0]![0];
  const members = safelyNamed(columns, [index]);
  return {
    kind: 'group',
    attributes: frameEncoding(
      index,
      members.map(([name]) => name),
    ),
    members: new Map([[index, names], ...members]),
  };
}

export function tableNode<Source>({ rowCount, indexName, index, columns }: Table): H5Group<Source> {
  return frameNode(
    indexName,
    arrayNode('string', [rowCount], index),
    Array.from(columns, ([name, column]) => [
      name,
      columnNode(column, rowCount, (part) => columnContent(column, part)),
    ]),
  );
}

export function sparseNode<Source>(
  format: 'csr' | 'csc',
  shape: readonly [cells: number, genes: number],
  arrays: Readonly<Record<'indptr' | 'indices' | 'data', H5Array<Source>>>,
): H5Group<Source> {
  const members = Object.entries(arrays).map(([name, node]) => [name, { ...node, attributes: {} }] as const);
  return { kind: 'group', attributes: sparseEncoding(format, shape), members: new Map(members) };
}

export type UnsValue = string | readonly string[] | { readonly [key: string]: UnsValue };

export function unsNodes<Source>(uns: { readonly [key: string]: UnsValue }): Named<Source> {
  return Object.entries(uns).map(([name, value]) => [name, unsNode(value)] as const);
}

function unsNode<Source>(value: UnsValue): H5Node<Source> {
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
  return dictNode(safelyNamed(unsNodes<Source>(value as { readonly [key: string]: UnsValue })));
}
