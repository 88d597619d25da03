import type { DatasetInfo } from '../../hdf5/element-type.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { arrayEmbedding, columnCoordinates } from '../../layout/coordinates.ts';
import type { EmbeddingLayout, Embeddings } from '../../dataset-file.ts';

/** `UMAP_1`, `_tSNE2`, `X_pca-3`, `PC1`: embedding name and dimension. */
const numbered =
  /^(.*(?:umap|t-?sne).*?|(?:.*[-_. ])?(?:pca?|phate|mde|diffmap|spatial|embedding))[-_. ]?(\d{1,3})$/i;
/** Written by SCope and velocyto: the displayed embedding. */
const shown = ['_X', '_Y'];

export function loomEmbeddings(file: Hdf5File): Embeddings {
  const { arrays, groups } = embeddingAttributes(file);
  const embeddings: EmbeddingLayout[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const name of arrays) {
    const layout = arrayEmbedding(file, `col_attrs/${name}`, name);
    if (typeof layout === 'string') skipped.push({ name, reason: layout });
    else embeddings.push(layout);
  }
  for (const [name, columns] of groups) {
    const infos = columns.map((column) => file.dataset(`col_attrs/${column}`));
    const rowCount = Math.min(...infos.map(({ shape }) => shape[0]!));
    const read = () => columnCoordinates(file, name, infos, rowCount);
    embeddings.push({ name, rowCount, dimensions: columns.length, columns, read });
  }
  return { embeddings, skipped };
}

export function embeddingColumns(file: Hdf5File): ReadonlySet<string> {
  const { arrays, groups } = embeddingAttributes(file);
  return new Set([...arrays, ...[...groups.values()].flat()]);
}

function embeddingAttributes(file: Hdf5File): { arrays: string[]; groups: Map<string, string[]> } {
  const infos = new Map<string, DatasetInfo>();
  for (const name of file.kind('col_attrs') === 'group' ? file.children('col_attrs') : []) {
    if (file.kind(`col_attrs/${name}`) === 'dataset') infos.set(name, file.dataset(`col_attrs/${name}`));
  }
  const arrays = [...infos].flatMap(([name, { shape }]) => (shape.length === 2 ? [name] : []));
  const numbers = [...infos].flatMap(([name, { shape, type }]) =>
    shape.length === 1 && type.kind === 'number' ? [name] : [],
  );
  const dimensions = new Map<string, Map<number, string>>();
  for (const column of numbers) {
    const [, base, dimension] = numbered.exec(column) ?? [];
    if (base === undefined) continue;
    const name = base.replace(/^_+/, '');
    dimensions.set(name, (dimensions.get(name) ?? new Map<number, string>()).set(Number(dimension), column));
  }
  const groups = new Map<string, string[]>();
  for (const [name, columns] of dimensions) {
    const ordered = Array.from({ length: columns.size }, (_, at) => columns.get(at + 1));
    if (ordered.length >= 2 && !arrays.includes(name) && ordered.every((column) => column !== undefined))
      groups.set(name, ordered);
  }
  if (shown.every((column) => numbers.includes(column))) groups.set('embedding', shown);
  return { arrays, groups };
}
