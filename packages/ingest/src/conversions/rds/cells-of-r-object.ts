import { inLayer, joinedLayers } from './joined-layers.ts';
import type { Refuse, RMatrix } from './r-matrix.ts';
import { classesOf, described, item, itemsOf, namesOf, type RValue, slot, stringsOf } from './r-value.ts';

/** What an object of R says about cells, where it says it. */
export interface CellsOfR {
  readonly title: string;
  readonly matrix: RMatrix;
  readonly cells: readonly string[];
  readonly genes: readonly string[];
  /** Data frames: named lists of columns. */
  readonly cellColumns: RValue | undefined;
  readonly geneColumns: RValue | undefined;
  /** Coordinates: cells x dimensions, by their key in obsm. */
  readonly embeddings: ReadonlyMap<string, RValue>;
  readonly notes: readonly string[];
}

/** Slots without which cells can be had. */
export const passedOver: ReadonlySet<string> = new Set([
  'scale.data',
  'graphs',
  'neighbors',
  'commands',
  'images',
  'jackstraw',
  'tools',
  'misc',
  'metadata',
  'int_metadata',
]);

/** Finds the cells in a Seurat object, a SingleCellExperiment, a SummarizedExperiment or a matrix. */
export async function cellsOfRObject(root: RValue, refuse: Refuse): Promise<CellsOfR> {
  const classes = classesOf(root);
  if (classes.includes('Seurat')) return ofSeurat(root, refuse);
  if (
    ['SingleCellExperiment', 'SummarizedExperiment', 'RangedSummarizedExperiment'].some((one) =>
      classes.includes(one),
    )
  )
    return ofExperiment(root, classes[0]!, refuse);
  const dims = slot(root, 'dim') ?? slot(root, 'Dim');
  if (dims === undefined) {
    throw refuse(
      '',
      `holds ${described(root)}, which is none of the objects that are read.`,
      'Save a Seurat object, a SingleCellExperiment or a matrix of genes x cells with saveRDS().',
    );
  }
  const named = await matrixOf(root, '', refuse);
  return {
    ...withNames(named, [undefined, undefined], '', refuse),
    title: 'a matrix of R',
    cellColumns: undefined,
    geneColumns: undefined,
    embeddings: new Map(),
    notes: [],
  };
}

async function ofSeurat(root: RValue, refuse: Refuse): Promise<CellsOfR> {
  const assays = slot(root, 'assays');
  const names = namesOf(assays);
  const [active] = stringsOf(slot(root, 'active.assay')) ?? [];
  // Others, such as of an integration or SCTransform, hold no counts, or not those that were counted.
  const name = names.includes('RNA') ? 'RNA' : active;
  const assay = typeof name === 'string' ? item(assays, name) : undefined;
  if (assay === undefined || typeof name !== 'string') {
    throw refuse(
      'assays',
      'has no assay that could be read.',
      'Set one with DefaultAssay(object) and save it again.',
    );
  }
  const notes = [];
  const others = names.filter((one) => one !== name);
  if (others.length > 0) notes.push(`Of the object’s assays ${name} was read; left: ${others.join(', ')}.`);
  const { layer, part, matrix, of, split } = await seuratLayer(assay, `assays$${name}`, refuse);
  if (split.length > 0)
    notes.push(`The layers ${split.join(', ')} of the assay ${name} were joined as JoinLayers() does.`);
  if (layer !== 'counts') notes.push(`The assay ${name} holds no counts; its “${layer}” was read.`);
  const embeddings = new Map<string, RValue>();
  const reductions = slot(root, 'reductions');
  itemsOf(reductions).forEach((reduction, at) => {
    const values = slot(reduction, 'cell.embeddings');
    if (values !== undefined) embeddings.set(`X_${namesOf(reductions)[at]}`, values);
  });
  return {
    ...withNames(matrix, of, part, refuse),
    title: 'a Seurat object',
    cellColumns: slot(root, 'meta.data'),
    geneColumns: slot(assay, 'meta.features') ?? slot(assay, 'meta.data'),
    embeddings,
    notes,
  };
}

type Names = readonly string[] | undefined;

/** The counts of an assay, else its normalised values; of Seurat 5 with the names of its genes and cells. */
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

async function ofExperiment(root: RValue, className: string, refuse: Refuse): Promise<CellsOfR> {
  const stored = slot(root, 'assays');
  // Assays in an environment of their own are of Bioconductor before 3.12.
  const assays = slot(slot(stored, 'data'), 'listData');
  const names = namesOf(assays);
  const name = ['counts', 'X', 'logcounts'].find((one) => names.includes(one)) ?? names[0];
  const value = name === undefined ? itemsOf(assays)[0] : item(assays, name);
  if (value === undefined) {
    throw refuse(
      'assays',
      'has no assay that could be read.',
      'Update it with updateObject(x) of a current Bioconductor, see that assay(x, "counts") is there, and save it again.',
    );
  }
  const notes = [];
  if (name !== 'counts') notes.push(`The object has no assay “counts”; “${name ?? 'the first'}” was read.`);
  const left = names.filter((one) => one !== name);
  if (left.length > 0) notes.push(`Of the object’s assays ${name} was read; left: ${left.join(', ')}.`);
  const inner = slot(slot(root, 'int_colData'), 'listData');
  const others = namesOf(slot(item(inner, 'altExps'), 'listData'));
  if (others.length > 0) notes.push(`Alternative experiments were left: ${others.join(', ')}.`);
  const reduced = slot(item(inner, 'reducedDims'), 'listData');
  const embeddings = new Map(
    itemsOf(reduced).map((one, at) => [`X_${namesOf(reduced)[at]!.toLowerCase()}`, one] as const),
  );
  const columns = slot(root, 'colData');
  const ranges = slot(root, 'rowRanges');
  const genes =
    stringsOf(slot(slot(ranges, 'partitioning'), 'NAMES')) ??
    stringsOf(slot(slot(ranges, 'ranges'), 'NAMES')) ??
    stringsOf(slot(root, 'NAMES'));
  const part = `assays$${name ?? 1}`;
  const named = (strings: readonly (string | null)[] | undefined) => strings?.map((text) => text ?? '');
  return {
    ...withNames(
      await matrixOf(value, part, refuse),
      [named(genes), named(stringsOf(slot(columns, 'rownames')))],
      part,
      refuse,
    ),
    title: `a ${className}`,
    cellColumns: slot(columns, 'listData'),
    geneColumns: slot(slot(ranges, 'elementMetadata') ?? slot(root, 'elementMetadata'), 'listData'),
    embeddings,
    notes,
  };
}

interface NamedMatrix {
  readonly matrix: RMatrix;
  /** Names of rows and columns, where the matrix has them. */
  readonly names: readonly [Names, Names];
}

async function matrixOf(value: RValue, part: string, refuse: Refuse): Promise<NamedMatrix> {
  const classes = classesOf(value);
  const impossible = () => refuse(part, 'contradicts itself.', 'Save the object again in R with saveRDS().');
  const numbers = (name: string) => {
    const found = slot(value, name);
    if (found?.type !== 'numbers') throw impossible();
    return found.numbers;
  };
  const sparse = classes.includes('dgCMatrix');
  const size = await sizeOf(slot(value, sparse ? 'Dim' : 'dim'));
  const dimnames = itemsOf(slot(value, sparse ? 'Dimnames' : 'dimnames'));
  const names = [0, 1].map((at) => stringsOf(dimnames[at])?.map((name) => name ?? '')) as [Names, Names];
  if (sparse && size !== undefined) {
    const [p, i, x] = [numbers('p'), numbers('i'), numbers('x')];
    if (p.length !== size.cellCount + 1 || i.length !== x.length) throw impossible();
    return { matrix: { form: 'sparse', ...size, p, i, x }, names };
  }
  if (value.type === 'numbers' && size !== undefined) {
    if (value.numbers.length !== size.geneCount * size.cellCount) throw impossible();
    return { matrix: { form: 'dense', ...size, values: value.numbers }, names };
  }
  throw refuse(
    part,
    `is ${described(value)}, which is not read.`,
    'Make it a matrix in memory with as(as(m, "CsparseMatrix"), "dMatrix") and save the object again.',
  );
}

async function sizeOf(dim: RValue | undefined) {
  if (dim?.type !== 'numbers' || dim.numbers.length !== 2) return undefined;
  const [geneCount, cellCount] = (await dim.numbers.read(0, 2)) as unknown as [number, number];
  return geneCount >= 0 && cellCount >= 0 ? { geneCount, cellCount } : undefined;
}

function withNames(
  { matrix, names }: NamedMatrix,
  [genes = names[0], cells = names[1]]: readonly [Names, Names],
  part: string,
  refuse: Refuse,
) {
  const wrong = (what: string, count: number, found: Names) =>
    refuse(
      part,
      `has ${count} ${what} and ${found?.length ?? 'no'} names for them.`,
      `Name them with ${what === 'genes' ? 'rownames' : 'colnames'}() and save the object again.`,
    );
  if (genes?.length !== matrix.geneCount) throw wrong('genes', matrix.geneCount, genes);
  if (cells?.length !== matrix.cellCount) throw wrong('cells', matrix.cellCount, cells);
  return { matrix, genes, cells };
}
