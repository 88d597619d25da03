import type { Column } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { hostile, hostileGenes } from '../../../testing/analysis-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../../testing/write-test-dataset.ts';
import { createRandom } from '@cellfolio/analysis';

export const donorCount = 8;
const conditions = ['control', 'treated'];
const cellTypes = ['B cell', 'T cell', hostile];
const cellsOfType = [30, 24, 12];
export const changed = new Map([
  ['GENE1', 2],
  ['GENE2', 2],
  ['GENE3', 2],
  ['GENE4', -2],
  ['GENE5', -2],
]);
/** Treatment changes it only in donors of the second group. */
export const changedInOld = 'GENE6';
const plainGenes = 115;

export interface DonorCell {
  donor: number;
  condition: number;
  type: number;
}

export interface DonorsDataset {
  manifest: DatasetManifest;
  genes: readonly string[];
  cells: readonly DonorCell[];
  /** Raw counts of each gene, one per cell. */
  counts: readonly Float32Array[];
}

interface DonorsOptions {
  /** Cells without counts, or with counts only of the gene that hardly any cell has. */
  emptied?: (cell: DonorCell) => 'no-counts' | 'one-gene' | undefined;
  /** The share of its counts that a cell keeps; all of them unless given. */
  depthOf?: (cell: DonorCell) => number;
  /** Whether the dataset has its raw counts; true unless given. */
  hasCounts?: boolean;
  /** Cells that are missing from the dataset; the others keep the same counts. */
  isAbsent?: (cell: DonorCell) => boolean;
}

/**
 * Writes eight donors, each untreated and treated, with raw counts of 120 genes, the last of which hardly any cell has.
 * `library` names each donor and condition, `age_group` and `age` describe donors, `run` differs between the cells of a
 * donor, `chip` duplicates the condition under another name, and `partial` is missing for the first donor.
 */
export async function writeDonorsDataset(
  root: string,
  id: string,
  {
    emptied = () => undefined,
    depthOf = () => 1,
    hasCounts = true,
    isAbsent = () => false,
  }: DonorsOptions = {},
): Promise<DonorsDataset> {
  const random = createRandom('donors');
  const depthRandom = createRandom('depth');
  const allCells = donorCells();
  const presentCells = [...allCells.keys()].filter((cell) => !isAbsent(allCells[cell]!));
  const cells = presentCells.map((cell) => allCells[cell]!);
  const genes = [...Array.from({ length: plainGenes }, (_, gene) => `GENE${gene + 1}`), ...hostileGenes];
  const counts = genes.map((gene, at) => {
    const isRare = at === genes.length - 1;
    const all = geneCounts(gene, isRare ? 0.001 : 1, allCells, random);
    return Float32Array.from(presentCells, (cell) => {
      const how = emptied(allCells[cell]!);
      if (how !== undefined) return Number(how === 'one-gene' && isRare);
      const depth = depthOf(allCells[cell]!);
      if (depth === 1) return all[cell]!;
      return Array.from({ length: all[cell]! }).filter(() => depthRandom.uniform() < depth).length;
    });
  });
  const totals = new Float64Array(cells.length);
  for (const gene of counts) gene.forEach((count, cell) => (totals[cell]! += count));
  const cellCount = cells.length;
  const labels = (categories: readonly string[], codeOf: (cell: DonorCell, at: number) => number) =>
    categorical(categories, cellCount, (at) => codeOf(cells[at]!, at));
  const donors = Array.from({ length: donorCount }, (_, donor) => `D${donor + 1}`);
  const manifest = await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      ['donor', labels(donors, ({ donor }) => donor)],
      ['condition', labels(conditions, ({ condition }) => condition)],
      ['cell_type', labels(cellTypes, ({ type }) => type)],
      [
        'library',
        labels(
          donors.flatMap((donor) => conditions.map((condition) => `${donor} ${condition}`)),
          ({ donor, condition }) => 2 * donor + condition,
        ),
      ],
      ['age_group', labels(['young', 'old'], ({ donor }) => (donor < donorCount / 2 ? 0 : 1))],
      ['batch', labels(['b1', 'b2'], ({ donor }) => donor % 2)],
      ['third', labels(['x', 'y', 'z'], ({ donor }) => donor % 3)],
      ['chip', labels(['c1', 'c2'], ({ condition }) => condition)],
      ['run', labels(['r1', 'r2'], (_, at) => at % 2)],
      ['partial', labels(['p1', 'p2'], ({ donor }) => (donor === 0 ? -1 : donor % 2))],
      [
        'age',
        {
          kind: 'numeric',
          dtype: 'float32',
          values: Float32Array.from(cells, ({ donor }) => 30 + 5 * ((3 * donor) % donorCount)),
        },
      ],
    ]),
    genes: counts.map((own, gene) => {
      const expressing = Int32Array.from([...own.keys()].filter((cell) => own[cell]! > 0));
      return {
        name: genes[gene]!,
        cells: expressing,
        values: Float32Array.from(expressing, (cell) => Math.log1p((1e4 * own[cell]!) / totals[cell]!)),
        ...(hasCounts && { counts: Float32Array.from(expressing, (cell) => own[cell]!) }),
      };
    }),
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Donors' },
    roles: {
      cellType: 'cell_type',
      patient: 'donor',
      embedding: 'X_umap',
      metadata: { Condition: 'condition', Donor: 'donor', 'Age group': 'age_group', Library: 'library' },
    },
  });
  return { manifest, genes, cells, counts };
}

function donorCells(): DonorCell[] {
  const cells: DonorCell[] = [];
  for (let donor = 0; donor < donorCount; donor++) {
    for (let condition = 0; condition < 2; condition++) {
      cellsOfType.forEach((count, type) => {
        const own = type === 2 && donor > 1 ? 0 : count;
        for (let i = 0; i < own; i++) cells.push({ donor, condition, type });
      });
    }
  }
  return cells;
}

function geneCounts(
  gene: string,
  share: number,
  cells: readonly DonorCell[],
  random: ReturnType<typeof createRandom>,
): Float32Array {
  const level = share * (1 + random.gamma(2));
  const ofDonor = Array.from({ length: donorCount }, () => Math.exp(0.2 * random.normal()));
  const ofSum = Array.from({ length: 2 * donorCount }, () => Math.exp(0.08 * random.normal()));
  const ofType = cellTypes.map(() => Math.exp(0.3 * random.normal()));
  const effect = changed.get(gene) ?? 0;
  return Float32Array.from(cells, ({ donor, condition, type }) => {
    const own = gene === changedInOld && donor >= donorCount / 2 ? 2 : effect;
    const mean =
      level * ofDonor[donor]! * ofSum[2 * donor + condition]! * ofType[type]! * (condition ? 2 ** own : 1);
    return poisson(mean * random.gamma(2) * 0.5, random);
  });
}

/** Knuth's product of uniforms, for small means. */
function poisson(mean: number, random: ReturnType<typeof createRandom>): number {
  const threshold = Math.exp(-mean);
  let product = random.uniform();
  let count = 0;
  while (product > threshold) {
    product *= random.uniform();
    count++;
  }
  return count;
}
