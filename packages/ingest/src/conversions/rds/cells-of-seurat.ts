import { isProteinType } from '../../features/gene-features.ts';
import { identitiesColumn } from '../../roles/seurat-identities.ts';
import { matrixOf, type Names, withNames } from './named-matrix.ts';
import { proteinsOf } from './proteins-of-r.ts';
import type { Refuse, JoinedRMatrix, RMatrix } from './r-matrix.ts';
import { item, itemsOf, namesOf, type RValue, slot, stringsOf } from './r-value.ts';

/** Cells of a Seurat object: from the RNA assay, else the active one; proteins from another assay. */
export async function cellsOfSeurat(root: RValue, refuse: Refuse) {
  const assays = slot(root, 'assays');
  const names = namesOf(assays);
  const [active] = stringsOf(slot(root, 'active.assay')) ?? [];
  // Others, such as of an integration or SCTransform, hold no counts, or not those that were counted.
  const genes = active !== undefined && active !== null && !isProteinType(active) ? active : undefined;
  const name = names.includes('RNA') ? 'RNA' : (genes ?? names.find((one) => !isProteinType(one)) ?? active);
  const assay = typeof name === 'string' ? item(assays, name) : undefined;
  if (assay === undefined || typeof name !== 'string') {
    throw refuse(
      'assays',
      'has no assay that could be read.',
      'Set one with DefaultAssay(object) and save it again.',
    );
  }
  const others = names.filter((one) => one !== name);
  const notes: string[] = [];
  const read = async (one: string) => {
    const assayLayer = await seuratLayer(item(assays, one)!, `assays$${one}`, refuse);
    const { layer, split } = assayLayer;
    if (split.length > 0)
      notes.push(`The layers ${split.join(', ')} of the assay ${one} were joined as JoinLayers() does.`);
    if (layer !== 'counts') notes.push(`The assay ${one} holds no counts; its “${layer}” was read.`);
    return assayLayer;
  };
  const { part, matrix, of } = await read(name);
  const named = withNames(matrix, of, part, refuse);
  const measured = others.find(isProteinType);
  const { proteins, problem } =
    measured === undefined ? {} : await proteinsOf(() => read(measured), named.cells, refuse);
  notes.unshift(...assaysText({ name, others, proteins: proteins && measured }));
  if (problem !== undefined) notes.push(`The proteins were left: ${problem}`);
  const embeddings = new Map<string, RValue>();
  const reductions = slot(root, 'reductions');
  itemsOf(reductions).forEach((reduction, at) => {
    const values = slot(reduction, 'cell.embeddings');
    if (values !== undefined) embeddings.set(`X_${namesOf(reductions)[at]}`, values);
  });
  return {
    ...named,
    title: 'a Seurat object',
    proteins,
    cellColumns: slot(root, 'meta.data'),
    identities: slot(root, identitiesColumn),
    geneColumns: slot(assay, 'meta.features') ?? slot(assay, 'meta.data'),
    embeddings,
    notes,
  };
}

function assaysText({
  name,
  others,
  proteins,
}: {
  name: string;
  others: readonly string[];
  proteins: string | undefined;
}): string[] {
  if (others.length === 0) return [];
  const left = others.filter((one) => one !== proteins);
  const read = proteins === undefined ? `${name} was read` : `${name} was read, and ${proteins} as proteins`;
  return [`Of the object’s assays ${read}${left.length > 0 ? `; left: ${left.join(', ')}` : ''}.`];
}

async function seuratLayer(assay: RValue, place: string, refuse: Refuse) {
  const layers = slot(assay, 'layers');
  for (const layer of ['counts', 'data']) {
    const value = layers === undefined ? slot(assay, layer) : item(layers, layer);
    const part = `${place}@${layers === undefined ? '' : 'layers$'}${layer}`;
    if (value === undefined) {
      const split = namesOf(layers).filter((name) => name.startsWith(`${layer}.`));
      if (split.length === 0) continue;
      const joined = await joinedLayers(
        await Promise.all(
          split.map(async (name) => ({
            name,
            matrix: (await matrixOf(item(layers, name)!, `${place}@layers$${name}`, refuse)).matrix,
            genes: await inLayer(slot(assay, 'features'), name),
            cells: await inLayer(slot(assay, 'cells'), name),
          })),
        ),
        `${place}@layers`,
        refuse,
      );
      return { layer, part: `${part}.*`, ...joined, split };
    }
    const matrix = await matrixOf(value, part, refuse);
    if (matrix.matrix.cellCount === 0 || matrix.matrix.geneCount === 0) continue;
    const namesOfMap = async (map: string) =>
      layers === undefined ? undefined : (await inLayer(slot(assay, map), layer))?.own;
    const of: readonly [Names, Names] = [await namesOfMap('features'), await namesOfMap('cells')];
    return { layer, part, matrix, of, split: [] };
  }
  throw refuse(place, 'has neither counts nor data.', 'Choose an assay that has with DefaultAssay(object).');
}

interface NamesInLayer {
  all: readonly string[];
  /** Their indices, ascending: the rows, or columns, of the layer in order. */
  places: Int32Array;
  own: readonly string[];
}

/** Seurat 5 names genes and cells once for all layers, with a logical map of which layer has which. */
async function inLayer(map: RValue | undefined, layer: string): Promise<NamesInLayer | undefined> {
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
  name: string;
  matrix: RMatrix;
  genes: NamesInLayer | undefined;
  cells: NamesInLayer | undefined;
}

/** Genes and cells that any layer has, in the order of the assay, like SeuratObject's JoinLayers(). */
async function joinedLayers(layers: readonly Layer[], part: string, refuse: Refuse) {
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
