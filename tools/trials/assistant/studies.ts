import { join } from 'node:path';
import type { DatasetFacts } from '@cellfolio/assistant';
import { packStrings, type CategoricalColumn, type Column, type GeneBlock } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import { categorical } from '../../../bench/src/data/generated-file.ts';
import { SeededBits } from '../../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from '../simulated-donors.ts';

/** Cells of each donor by type, before `more`. */
const cellsOfTypes = {
  'CD4 T cell': 20,
  'CD8 T cell': 14,
  'B cell': 16,
  Monocyte: 13,
  'NK cell': 9,
  'Plasma cell': 5,
} as const;
type CellType = keyof typeof cellsOfTypes;
export const cellTypes = Object.keys(cellsOfTypes) as readonly CellType[];

/** Times the level of a gene is that of other cells, in cells of a type. */
const markers: readonly (readonly [CellType, Readonly<Record<string, number>>])[] = [
  ['CD4 T cell', { IL7R: 14, CCR7: 6, LEF1: 4 }],
  ['CD8 T cell', { CD8A: 14, CD8B: 6, GZMK: 4 }],
  ['B cell', { MS4A1: 14, CD79A: 6, BANK1: 4, CXCL13: 5 }],
  ['Monocyte', { LYZ: 14, CD14: 6, S100A8: 4, CXCR4: 5 }],
  ['NK cell', { GNLY: 14, KLRF1: 6, NCAM1: 4 }],
  ['Plasma cell', { MZB1: 14, JCHAIN: 6, SDC1: 4, CXCL12: 5 }],
];
/** Times the level of a gene is that of control, in treated cells of any type. */
export const treatmentFolds = { ISG15: 5, MX1: 3.5, IFI6: 3, KLF2: 1 / 5, TXNIP: 1 / 3.5 } as const;
/** Natural logarithm of the fold change from the lowest `activation` of a cell to the highest. */
const activationSlopes = { CD69: 2.5, TNFRSF9: 1.6, SELL: -2.5 } as const;
/** The same of a quantity that no column has, so that these genes rise together. */
const hiddenSlopes = { PDCD1: 2.6, LAG3: 2.6, TIGIT: 1.5 } as const;
const housekeeping = ['ACTB', 'GAPDH', 'CD3E', 'PTPRC', 'EEF1A1'];
const plainGenes = 110;
/** Genes that differ nowhere, of which some are in few cells, with this mean count. */
const [rareGenes, rareLevel] = [70, 0.02];

export const genes: readonly string[] = [
  ...markers.flatMap(([, folds]) => Object.keys(folds)),
  ...Object.keys(treatmentFolds),
  ...Object.keys(activationSlopes),
  ...Object.keys(hiddenSlopes),
  ...housekeeping,
  ...Array.from({ length: plainGenes }, (_, gene) => `GENE${gene + 1}`),
];

interface Design {
  readonly name: string;
  readonly donors: number;
  /** Times the cells of monocytes in treated donors. */
  readonly moreMonocytes?: number;
  /** Size of treated cells, of that of control. */
  readonly treatedDepth?: number;
  /** Batches are those of the conditions. */
  readonly isConfounded?: boolean;
  readonly hasRareGenes?: boolean;
  /** Cells of the last type are of the first donor alone. */
  readonly plasmaOfOne?: boolean;
}

/** Each but the first differs from it in what makes a trap. */
export const designs = {
  cohort: { name: 'Cohort of eight donors', donors: 8 },
  shifted: { name: 'Donors with more monocytes', donors: 8, moreMonocytes: 4 },
  shallow: { name: 'Treated cells sequenced less deeply', donors: 8, treatedDepth: 0.35 },
  confounded: { name: 'A batch for each condition', donors: 8, isConfounded: true },
  pair: { name: 'One donor of each condition', donors: 2, hasRareGenes: true },
  clumped: { name: 'Plasma cells of one donor', donors: 8, plasmaOfOne: true },
} as const satisfies Readonly<Record<string, Design>>;
export type StudyName = keyof typeof designs;
export const studyNames = Object.keys(designs) as readonly StudyName[];
export const filenameOf = (study: StudyName): string => `${study}.h5ad`;

/** Labels of the cells by column. */
export type Labels = Readonly<
  Record<'cell_type' | 'cluster' | 'donor' | 'condition' | 'sex' | 'batch', readonly string[]>
>;

export interface Study {
  readonly name: StudyName;
  readonly cells: number;
  readonly labels: Labels;
  readonly activation: Float32Array;
  readonly age: Float32Array;
  readonly counts: GeneBlock;
  /** ln(1 + 10,000 × count / counts of the cell). */
  readonly values: GeneBlock;
  /** Counts of each cell. */
  readonly totals: Float64Array;
}

/** Standard deviations of natural logarithms: of a gene between donors, and of the sizes of cells. */
const [donorSpread, cellSpread] = [0.1, 0.25];

export function simulateStudy(name: StudyName): Study {
  const design: Design = designs[name];
  const bits = new SeededBits(7);
  const { labels, cells } = labelsOf(design);
  const activation = Float32Array.from({ length: cells }, () => 10 * bits.uniform());
  const hidden = Float64Array.from({ length: cells }, () => bits.uniform());
  const age = Float32Array.from(labels.donor, (donor) => 30 + 4 * Number(donor.slice(1)));
  const sizes = Float64Array.from(labels.condition, (condition) => {
    const depth = condition === 'treated' ? (design.treatedDepth ?? 1) : 1;
    return depth * Math.exp(cellSpread * bits.normal());
  });
  const dense = new Uint16Array(genes.length * cells);
  const draws = new Uint32Array(cells);
  const totals = new Float64Array(cells);
  const typeOf = new Map(markers.flatMap(([type, folds]) => Object.keys(folds).map((gene) => [gene, type])));
  const foldOf = new Map(markers.flatMap(([, folds]) => Object.entries(folds)));
  const treatmentOf = new Map<string, number>(Object.entries(treatmentFolds));
  const slopeOf = new Map<string, number>(Object.entries(activationSlopes));
  const hiddenSlopeOf = new Map<string, number>(Object.entries(hiddenSlopes));
  genes.forEach((gene, row) => {
    const isPlanted = row < genes.length - plainGenes;
    const isRare = design.hasRareGenes === true && row >= genes.length - rareGenes;
    const usual = Math.exp(0.3 + bits.normal());
    const level = isRare ? rareLevel : isPlanted ? 1 : usual;
    const own = new Map(Array.from({ length: design.donors }, (_, at) => [`D${at + 1}`, bits.normal()]));
    bits.drawInto(draws);
    for (let cell = 0; cell < cells; cell++) {
      const isOfType = typeOf.get(gene) === labels.cell_type[cell];
      const isTreated = labels.condition[cell] === 'treated';
      const mean =
        level *
        sizes[cell]! *
        Math.exp(donorSpread * own.get(labels.donor[cell]!)!) *
        (typeOf.has(gene) ? 0.35 : 1) *
        (isOfType ? foldOf.get(gene)! : 1) *
        (isTreated ? (treatmentOf.get(gene) ?? 1) : 1) *
        Math.exp((slopeOf.get(gene) ?? 0) * (activation[cell]! / 10 - 0.5)) *
        Math.exp((hiddenSlopeOf.get(gene) ?? 0) * (hidden[cell]! - 0.5));
      const count = negativeBinomial(draws[cell]!, mean);
      dense[row * cells + cell] = count;
      totals[cell]! += count;
    }
  });
  const counts = blockOf(dense, cells);
  return { name, cells, labels, activation, age, counts, values: logNormalised(counts, totals), totals };
}

function labelsOf({ donors, moreMonocytes = 1, isConfounded, plasmaOfOne }: Design) {
  const labels = {
    cell_type: [] as string[],
    cluster: [] as string[],
    donor: [] as string[],
    condition: [] as string[],
    sex: [] as string[],
    batch: [] as string[],
  };
  // Clusters join both types of T cells.
  const clusterOf = (type: CellType) => String(Math.max(0, cellTypes.indexOf(type) - 1));
  for (let donor = 0; donor < donors; donor++) {
    const isTreated = donor >= donors / 2;
    for (const type of cellTypes) {
      const grown = type === 'Monocyte' && isTreated ? moreMonocytes : 1;
      // A few more in some donors, as many on both sides.
      const more = type === 'CD4 T cell' ? donor % 4 : type === 'B cell' && donor % 4 === 1 ? 2 : 0;
      const usual = grown * cellsOfTypes[type] + more;
      const isOfOne = plasmaOfOne === true && type === 'Plasma cell';
      const count = isOfOne ? (donor === 0 ? donors * usual : 0) : usual;
      for (let cell = 0; cell < count; cell++) {
        labels.cell_type.push(type);
        labels.cluster.push(clusterOf(type));
        labels.donor.push(`D${donor + 1}`);
        labels.condition.push(isTreated ? 'treated' : 'control');
        labels.sex.push(donor % 4 < 3 ? 'female' : 'male');
        labels.batch.push((isConfounded ? isTreated : donor % 2 === 1) ? 'run B' : 'run A');
      }
    }
  }
  return { labels, cells: labels.donor.length };
}

/** The names that a plan can use. */
export function factsOf({ labels }: Study): DatasetFacts {
  return {
    groups: Object.entries(labels).map(([column, of]) => ({ column, names: [...new Set(of)] })),
    cellTypes: 'cell_type',
    clusters: 'cluster',
    numbers: ['activation', 'age'],
    genes: new Map(genes.map((gene) => [gene, gene])),
  };
}

/** Shown names of the columns that are metadata. */
const metadata = { Donor: 'donor', Condition: 'condition', Sex: 'sex', Batch: 'batch' } as const;

/** Publishes a study as a public dataset of a store. */
export async function publishStudy(dataDir: string, study: Study): Promise<void> {
  const { cells, labels, activation, age, counts, values } = study;
  const writer = await createDatasetWriter(join(dataDir, 'objects'), filenameOf(study.name));
  const index = packStrings(Array.from({ length: cells }, (_, cell) => `cell-${cell + 1}`));
  const columns = new Map<string, Column>([
    ...Object.entries(labels).map(([column, of]): [string, Column] => [column, labelColumn(of)]),
    ['activation', { kind: 'numeric', dtype: 'float32', values: activation }],
    ['age', { kind: 'numeric', dtype: 'float32', values: age }],
  ]);
  await writer.obs({ rowCount: cells, indexName: '_index', index, columns });
  await writer.var({
    rowCount: genes.length,
    indexName: '_index',
    index: packStrings(genes),
    columns: new Map(),
  });
  await writer.obsm(mapOf(labels));
  for (const [path, block] of [
    ['X', values],
    ['layers/counts', counts],
  ] as const) {
    const indptr = Float64Array.from(block.starts);
    const shape = { cellCount: cells, geneCount: genes.length, indptr, valueType: 'float32' } as const;
    const matrix = await writer.matrix(path, shape);
    for (let gene = 0; gene < genes.length; gene++) {
      const [from, to] = [block.starts[gene]!, block.starts[gene + 1]!];
      await matrix.write(
        Int32Array.from(block.cells.subarray(from, to)),
        Float32Array.from(block.values.subarray(from, to)),
      );
    }
    await matrix.close();
  }
  await writer.publish({
    catalogue: {
      name: designs[study.name].name,
      disease: 'Simulated',
      subdisease: 'Simulated',
      category1: 'Simulated',
      category2: 'Simulated',
      description: 'Simulated cells with known answers.',
      simulated: true,
    },
    roles: { cellType: 'cell_type', cluster: 'cluster', patient: 'donor', embedding: 'X_umap', metadata },
    expression: { path: 'X', state: 'log-normalised', hasCounts: true },
    warnings: [],
  });
}

function labelColumn(labels: readonly string[]): CategoricalColumn {
  const names = [...new Set(labels)].toSorted();
  return categorical(
    Int8Array.from(labels, (label) => names.indexOf(label)),
    names,
  );
}

/** Cells of a type lie around one point of a circle. */
function mapOf({ cell_type: types }: Labels) {
  const bits = new SeededBits(11);
  const values = new Float32Array(2 * types.length);
  types.forEach((type, cell) => {
    const angle = (2 * Math.PI * cellTypes.findIndex((one) => one === type)) / cellTypes.length;
    values[2 * cell] = 5 * Math.cos(angle) + bits.normal();
    values[2 * cell + 1] = 5 * Math.sin(angle) + bits.normal();
  });
  return { name: 'X_umap', dimensions: 2, values };
}
