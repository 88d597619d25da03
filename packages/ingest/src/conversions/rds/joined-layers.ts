import type { JoinedRMatrix, Refuse, RMatrix } from './r-matrix.ts';
import { itemsOf, type RValue, slot, stringsOf } from './r-value.ts';

interface NamesInLayer {
  readonly all: readonly string[];
  /** Their indices, ascending: the rows, or columns, of the layer in order. */
  readonly places: Int32Array;
  readonly own: readonly string[];
}

/** Seurat 5 names genes and cells once for all layers, with a logical map of which layer has which. */
export async function inLayer(map: RValue | undefined, layer: string): Promise<NamesInLayer | undefined> {
  const [rows, columns] = itemsOf(slot(map, 'dimnames')).map(stringsOf);
  const column = columns?.indexOf(layer) ?? -1;
  if (map?.type !== 'numbers' || rows === undefined || column < 0) return undefined;
  if (map.numbers.length !== rows.length * columns!.length) return undefined;
  const has = await map.numbers.read(column * rows.length, rows.length);
  const all = rows.map((name) => name ?? '');
  const places = Int32Array.from(all.keys()).filter((place) => has[place] === 1);
  return { all, places, own: Array.from(places, (place) => all[place]!) };
}

interface Layer {
  readonly name: string;
  readonly matrix: RMatrix;
  readonly genes: NamesInLayer | undefined;
  readonly cells: NamesInLayer | undefined;
}

/** Genes and cells that any layer has, in the order of the assay, like SeuratObject's JoinLayers(). */
export async function joinedLayers(layers: readonly Layer[], part: string, refuse: Refuse) {
  const cannot = (problem: string) =>
    refuse(part, problem, 'Join them with object <- JoinLayers(object) and save it again.');
  const usable = layers.map(({ name, matrix, genes, cells }) => {
    if (matrix.form !== 'sparse' || genes === undefined || cells === undefined)
      throw cannot(`has a layer ${name} that cannot be joined with the others.`);
    if (genes.own.length !== matrix.geneCount || cells.own.length !== matrix.cellCount)
      throw cannot(
        `has a layer ${name} of ${matrix.geneCount} genes and ${matrix.cellCount} cells, and names for ${genes.own.length} and ${cells.own.length}.`,
      );
    return { name, matrix, genes, cells };
  });
  const genes = union(usable.map((layer) => layer.genes));
  const cells = union(usable.map((layer) => layer.cells));
  const layerOf = new Int32Array(cells.names.length).fill(-1);
  const columnOf = new Int32Array(cells.names.length);
  for (const [at, layer] of usable.entries()) {
    for (const [column, place] of layer.cells.places.entries()) {
      const cell = cells.at[place]!;
      if (layerOf[cell] !== -1)
        throw cannot(
          `has the cell ${cells.names[cell]} in the layers ${usable[layerOf[cell]!]!.name} and ${layer.name}.`,
        );
      layerOf[cell] = at;
      columnOf[cell] = column;
    }
  }
  const matrix: JoinedRMatrix = {
    form: 'joined',
    geneCount: genes.names.length,
    cellCount: cells.names.length,
    layers: usable.map((layer) => ({
      matrix: layer.matrix,
      genes: layer.genes.places.map((place) => genes.at[place]!),
    })),
    layerOf,
    columnOf,
  };
  const none: readonly [undefined, undefined] = [undefined, undefined];
  return { matrix: { matrix, names: none }, of: [genes.names, cells.names] as const };
}

/** Names that any layer has, and the index among them of each place of the assay. */
function union(maps: readonly NamesInLayer[]): { names: string[]; at: Int32Array } {
  const { all } = maps[0]!;
  const has = new Uint8Array(all.length);
  for (const { places } of maps) for (const place of places) has[place] = 1;
  const at = new Int32Array(all.length);
  const names: string[] = [];
  for (const [place, name] of all.entries()) {
    at[place] = names.length;
    if (has[place] === 1) names.push(name);
  }
  return { names, at };
}
