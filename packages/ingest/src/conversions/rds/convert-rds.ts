import { countText, type Embedding } from '@cellfolio/model';
import { fileHead, isRWorkspace, rWorkspace } from '../../foreign-content.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { readChunks } from '../../matrix-market/read-text.ts';
import { encodingCaution } from '../../text-encoding.ts';
import { addIdentities } from '../../roles/seurat-identities.ts';
import type { H5adContent } from '../../write-h5ad/h5ad-content.ts';
import { type FloatType, writeFloatsH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import { isProteinType } from '../../features/gene-features.ts';
import { NumberSpill } from './number-spill.ts';
import { RBytes } from './r-bytes.ts';
import type { Refuse, RMatrix } from './r-matrix.ts';
import { matrixContent, proteinContent, valuesIn } from './r-matrix-blocks.ts';
import { columnOf, embeddingOfR, tableOfR } from './r-table.ts';
import { readRObject } from './read-r-object.ts';
import { cellsOfSeurat } from './cells-of-seurat.ts';
import { matrixOf, withNames, type Names } from './named-matrix.ts';
import { type ProteinsOfR, proteinsOf } from './proteins-of-r.ts';
import { classesOf, described, type RValue, slot, item, itemsOf, namesOf, stringsOf } from './r-value.ts';

/** Files written by saveRDS() in R, gzipped or not. */
export const rds: Conversion = {
  title: 'an R object (.rds)',
  recognises: ({ file, head }) =>
    head.toString('latin1', 0, 4) === 'X\n\0\0' || /\.(?:rds|rdata)(?:\.gz)?$/i.test(file.name),
  convert: convertRds,
};

/** Maximum compression ratio: zeros pack to a thousandth, and objects contain matrices of them. */
const maxRatio = 1000;

/**
 * Writes the counts as X (CSR, or dense), with the columns and coordinates of the cells. Reads the file once; names are
 * in memory, larger vectors meanwhile unpacked on disk beside the output.
 */
async function convertRds(
  { path }: NamedFile,
  output: string,
  { signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const refuse: Refuse = (part, problem, hint) =>
    new H5adError({ code: 'unreadable', path, part, problem, hint });
  const spill = new NumberSpill(`${output}.vectors`);
  try {
    const onBytes = (read: number, all: number) => onProgress?.((0.5 * read) / all);
    refuseOtherLayouts(path, refuse);
    const { root, recoded } = await readRObject(
      // Archives pack with gzip what R has packed.
      new RBytes(path, readChunks(path, { signal, onBytes, maxRatio, twice: true })),
      spill,
      passedOver,
    );
    const cells = await cellsOfRObject(root, refuse);
    const { content, notes } = await contentOf(cells, refuse);
    const all = valuesIn(cells.matrix);
    await writeFloatsH5ad(output, content, {
      ...(signal && { signal }),
      onProgress: ({ part, done }) => part === 'X' && onProgress?.(0.5 + (0.5 * done) / Math.max(1, all)),
    });
    return { notes: [...notes, ...encodingCaution(recoded).map(({ message }) => message)] };
  } finally {
    await spill.remove();
  }
}

/** Refuses the serialisation formats that saveRDS() writes only on request. */
function refuseOtherLayouts(path: string, refuse: Refuse): void {
  const head = fileHead(path)?.head;
  const start = head?.toString('latin1', 0, 6) ?? '';
  if (start.startsWith('X\n') || start.startsWith('\u001f\u008b')) return;
  const again = 'Save it again in R: saveRDS(x, "file.rds").';
  if (head && isRWorkspace(head)) throw refuse('', `is ${rWorkspace.what}.`, rWorkspace.hint);
  if (/^[AB]\n/.test(start)) throw refuse('', 'is an R object in a layout that is not read.', again);
  if (/^(?:BZh|\u00fd7zXZ)/.test(start))
    throw refuse(
      '',
      'is packed with bzip2 or xz.',
      'Save it again in R, where gzip is the default: saveRDS(x, "file.rds").',
    );
  throw refuse('', 'is no file of saveRDS().', again);
}

async function contentOf(cells: CellsOfR, refuse: Refuse) {
  const obs = await tableOfR(cells.cells, cells.cellColumns);
  addIdentities(
    obs.table.columns,
    cells.identities && (await columnOf(cells.identities, cells.cells.length)),
  );
  const genes = await tableOfR(cells.genes, cells.geneColumns);
  const notes = [
    `${countText(cells.cells.length)} cells and ${countText(cells.genes.length)} genes of ${cells.title}.`,
    ...cells.notes,
  ];
  const obsm: Embedding[] = [];
  const left = [...obs.left, ...genes.left];
  for (const [name, value] of cells.embeddings) {
    const embedding = await embeddingOfR(name.replaceAll('/', '_'), value, cells.cells.length);
    if (embedding === undefined) left.push(name);
    else obsm.push(embedding);
  }
  if (left.length > 0) notes.push(`Left, as they are not one value for each: ${left.join(', ')}.`);
  const content = (floats: FloatType): H5adContent => ({
    obs: obs.table,
    var: genes.table,
    X: matrixContent(cells.matrix, floats, refuse),
    obsm,
    ...(cells.proteins && {
      proteins: { names: cells.proteins.names, values: proteinContent(cells.proteins, floats, refuse) },
    }),
  });
  return { content, notes };
}

interface CellsOfR {
  title: string;
  matrix: RMatrix;
  cells: readonly string[];
  genes: readonly string[];
  /** Data frames: named lists of columns. */
  cellColumns: RValue | undefined;
  geneColumns: RValue | undefined;
  /** A factor with the labels that `Idents()` returns. */
  identities?: RValue | undefined;
  /** Coordinates: cells x dimensions, by their key in obsm. */
  embeddings: ReadonlyMap<string, RValue>;
  proteins?: ProteinsOfR | undefined;
  notes: readonly string[];
}

/** Slots that can be skipped without losing cells. */
const passedOver: ReadonlySet<string> = new Set([
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

async function cellsOfRObject(root: RValue, refuse: Refuse): Promise<CellsOfR> {
  const classes = classesOf(root);
  if (classes.includes('Seurat')) return cellsOfSeurat(root, refuse);
  if (
    ['SingleCellExperiment', 'SummarizedExperiment', 'RangedSummarizedExperiment'].some((one) =>
      classes.includes(one),
    )
  )
    return cellsOfExperiment(root, classes[0]!, refuse);
  const dims = slot(root, 'dim') ?? slot(root, 'Dim');
  if (dims === undefined) {
    throw refuse(
      '',
      `holds ${described(root)}, which is not a supported object.`,
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

/** Cells of a SummarizedExperiment, and the proteins of one of its alternative experiments. */
async function cellsOfExperiment(root: RValue, className: string, refuse: Refuse) {
  const { matrix, of, part, notes } = await experimentMatrix(root, { what: 'The object', place: '' }, refuse);
  const named = withNames(matrix, of, part, refuse);
  const inner = slot(slot(root, 'int_colData'), 'listData');
  const alternatives = slot(item(inner, 'altExps'), 'listData');
  const others = namesOf(alternatives);
  const experimentOf = (name: string) => slot(item(alternatives, name), 'se');
  const measured = others.find((name) => isProteinType(name) || isOfProteins(experimentOf(name)));
  const readProteins = async (name: string) => {
    const about = { what: `The alternative experiment ${name}`, place: `altExps$${name}$` };
    const experiment = await experimentMatrix(experimentOf(name), about, refuse);
    notes.push(...experiment.notes);
    // Its columns are the cells of the object, in their order.
    return { ...experiment, isByPlace: true };
  };
  const { proteins, problem } =
    measured === undefined ? {} : await proteinsOf(() => readProteins(measured), named.cells, refuse);
  if (proteins !== undefined) notes.push(`The alternative experiment ${measured} was read as proteins.`);
  if (problem !== undefined) notes.push(`The proteins were left: ${problem}`);
  const left = others.filter((name) => proteins === undefined || name !== measured);
  if (left.length > 0) notes.push(`Alternative experiments were left: ${left.join(', ')}.`);
  const reduced = slot(item(inner, 'reducedDims'), 'listData');
  const embeddings = new Map(
    itemsOf(reduced).map((one, at) => [`X_${namesOf(reduced)[at]!.toLowerCase()}`, one] as const),
  );
  return {
    ...named,
    title: `a ${className}`,
    cellColumns: slot(slot(root, 'colData'), 'listData'),
    geneColumns: rowData(root),
    embeddings,
    proteins,
    notes,
  };
}

async function experimentMatrix(
  experiment: RValue | undefined,
  { what, place }: { what: string; place: string },
  refuse: Refuse,
) {
  // Assays in an environment of their own are of Bioconductor before 3.12.
  const assays = slot(slot(slot(experiment, 'assays'), 'data'), 'listData');
  const names = namesOf(assays);
  const name = ['counts', 'X', 'logcounts'].find((one) => names.includes(one)) ?? names[0];
  const value = name === undefined ? itemsOf(assays)[0] : item(assays, name);
  if (value === undefined) {
    throw refuse(
      `${place}assays`,
      'has no assay that could be read.',
      'Update it with updateObject(x) of a current Bioconductor, see that assay(x, "counts") is there, and save it again.',
    );
  }
  const notes: string[] = [];
  if (name !== 'counts') notes.push(`${what} has no assay “counts”; “${name ?? 'the first'}” was read.`);
  const left = names.filter((one) => one !== name);
  if (left.length > 0)
    notes.push(`Of the assays of ${lower(what)} ${name} was read; left: ${left.join(', ')}.`);
  const ranges = slot(experiment, 'rowRanges');
  const rows =
    stringsOf(slot(slot(ranges, 'partitioning'), 'NAMES')) ??
    stringsOf(slot(slot(ranges, 'ranges'), 'NAMES')) ??
    stringsOf(slot(experiment, 'NAMES'));
  const columns = stringsOf(slot(slot(experiment, 'colData'), 'rownames'));
  const part = `${place}assays$${name ?? 1}`;
  const of: readonly [Names, Names] = [named(rows), named(columns)];
  return { matrix: await matrixOf(value, part, refuse), of, part, notes };
}

function lower(what: string): string {
  return what.slice(0, 1).toLowerCase() + what.slice(1);
}

function named(strings: readonly (string | null)[] | undefined): Names {
  return strings?.map((text) => text ?? '');
}

function rowData(experiment: RValue | undefined): RValue | undefined {
  const ranges = slot(experiment, 'rowRanges');
  return slot(slot(ranges, 'elementMetadata') ?? slot(experiment, 'elementMetadata'), 'listData');
}

/** Whether all rows are proteins by their type, which `read10xCounts()` calls `Type`. */
function isOfProteins(experiment: RValue | undefined): boolean {
  const rows = rowData(experiment);
  const column = namesOf(rows).find((name) => /^(?:feature_?)?types?$/i.test(name));
  const types = column === undefined ? undefined : item(rows, column);
  const texts = stringsOf(types) ?? stringsOf(slot(types, 'levels')) ?? [];
  return texts.length > 0 && texts.every((type) => type !== null && isProteinType(type));
}
