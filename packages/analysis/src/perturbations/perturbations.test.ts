import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { float32, float64, type Packed, readReference } from '../markers/testing/reference.ts';
import { createRandom } from '../random/seeded-random.ts';
import { energyDistance, energyTest } from './energy-distance.ts';
import { guideColumns, isControlName, perturbationColumns, targetGenes } from './perturbation-names.ts';
import { clusteredOrder, inflation, rowCorrelations, standardisedRow } from './profiles.ts';
import { normalUpperTail } from '../statistics/tails.ts';
import { correctSparse } from '../markers/sparse-p-values.ts';
import { remainingExpression } from './target-expression.ts';

const reference = readReference<{
  points: { dimensions: number; values: Packed; names: string[] };
  distances: Record<'none' | 'shifted' | 'wider', number>;
  profiles: { rows: number; columns: number; values: Packed };
  correlations: Packed;
  order: number[];
  scores: Packed;
  inflation: number;
}>(new URL('perturbations-reference.json', import.meta.url));

const { dimensions, names } = reference.points;
const values = float32(reference.points.values);
const cellsOf = (name: string) => Int32Array.from(names.flatMap((one, cell) => (one === name ? [cell] : [])));
const against = (name: string) => ({
  values,
  dimensions,
  perturbed: cellsOf(name),
  controls: cellsOf('control'),
});

test.each(['none', 'shifted', 'wider'] as const)(
  'the energy distance of %s from controls equals that of scperturb',
  (name) => {
    const distance = energyDistance(against(name));
    expect(distance).toBeCloseTo(reference.distances[name], 6);
    noteDifferences('perturbations', [distance], [reference.distances[name]]);
  },
);

test('a perturbation that shifts the mean has a small p-value, one without an effect does not', () => {
  const p = (name: string) => energyTest(against(name), 999, createRandom(name)).p;
  expect(p('shifted')).toBeLessThan(0.01);
  expect(p('none')).toBeGreaterThan(0.05);
});

test('p-values of cells without an effect are uniform', () => {
  const random = createRandom('uniform');
  const p = Array.from({ length: 200 }, () => {
    const points = Float64Array.from({ length: 2 * 60 }, () => random.normal());
    const [perturbed, controls] = [0, 1].map((half) =>
      Int32Array.from({ length: half ? 45 : 15 }, (_, i) => 15 * half + i),
    );
    const cells = { values: points, dimensions: 2, perturbed: perturbed!, controls: controls! };
    return energyTest(cells, 99, random).p;
  });
  expect(p.filter((one) => one <= 0.1).length).toBeGreaterThan(8);
  expect(p.filter((one) => one <= 0.1).length).toBeLessThan(34);
  expect(Math.min(...p)).toBeGreaterThanOrEqual(0.01);
});

test('labels are permuted within batches, so that a difference between batches is no effect', () => {
  const random = createRandom('batches');
  const count = 80;
  const batches = Int32Array.from({ length: count }, (_, cell) => cell % 2);
  const isPerturbed = (cell: number) => (batches[cell] === 0 ? cell % 4 === 0 : cell % 16 === 1);
  const points = Float64Array.from({ length: count }, (_, cell) => random.normal() + 5 * batches[cell]!);
  const all = [...batches.keys()];
  const cells = {
    values: points,
    dimensions: 1,
    perturbed: Int32Array.from(all.filter(isPerturbed)),
    controls: Int32Array.from(all.filter((cell) => !isPerturbed(cell))),
  };
  expect(energyTest(cells, 499, random).p).toBeLessThan(0.05);
  expect(energyTest({ ...cells, batches }, 499, random).p).toBeGreaterThan(0.05);
});

test('sets of one cell have no distance', () => {
  const cells = { ...against('none'), perturbed: Int32Array.of(3) };
  expect(energyTest(cells, 99, createRandom('one'))).toEqual({ distance: NaN, p: NaN });
});

test('correlations and the clustered order equal those of numpy and scipy, a constant row correlating with none', () => {
  const { rows, columns } = reference.profiles;
  const values = float64(reference.profiles.values);
  const correlations = rowCorrelations(
    Array.from({ length: rows }, (_, row) =>
      standardisedRow(values.subarray(row * columns, (row + 1) * columns)),
    ),
  );
  float64(reference.correlations).forEach((value, at) => expect(correlations[at]).toBeCloseTo(value, 9));
  noteDifferences('perturbations', correlations, float64(reference.correlations), 1e-3);
  expect(clusteredOrder(correlations, rows)).toEqual(reference.order);
  expect(clusteredOrder(Float64Array.of(1), 1)).toEqual([0]);
});

test('the inflation factor equals that of scipy', () => {
  expect(inflation(float64(reference.scores))).toBeCloseTo(reference.inflation, 9);
});

test('remaining expression is the ratio of means with an interval that covers the truth in 95 of 100 cases', () => {
  const random = createRandom('remaining');
  let covered = 0;
  for (let trial = 0; trial < 400; trial++) {
    const [perturbed, controls] = [0.4, 1].map((mean) => {
      const own = Array.from({ length: mean === 1 ? 600 : 150 }, () => random.gamma(2 * mean));
      const sum = own.reduce((total, value) => total + value, 0);
      const squares = own.reduce((total, value) => total + value * value, 0);
      return { cells: own.length, expressing: own.length, sum, squares };
    });
    const { low, high } = remainingExpression(perturbed!, controls!);
    if (low <= 0.4 && high >= 0.4) covered++;
  }
  expect(covered / 400).toBeGreaterThan(0.92);
  expect(covered / 400).toBeLessThan(0.98);
});

test('p-values of a gene that few cells express are no longer too small by chance', () => {
  const random = createRandom('sparse');
  const [size, others, share, genes] = [90, 10_000, 0.005, 20_000];
  const draw = (cells: number) => {
    let expressing = 0;
    // Gaps between expressing cells.
    for (let cell = -1; ; expressing++) {
      cell += 1 + Math.floor(Math.log(1 - random.uniform()) / Math.log(1 - share));
      if (cell >= cells) return expressing;
    }
  };
  const own = Float64Array.from({ length: genes }, () => draw(size));
  const rest = Float64Array.from({ length: genes }, () => draw(others));
  const pvals = Float64Array.from(own, (expressing, gene) => {
    const pooled = (expressing + rest[gene]!) / (size + others);
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / size + 1 / others));
    return 2 * normalUpperTail(Math.abs(expressing / size - rest[gene]! / others) / error);
  });
  const tooSmall = () => pvals.filter((p) => p < 1e-4).length / (genes * 1e-4);
  expect(tooSmall()).toBeGreaterThan(10);
  correctSparse(pvals, { size, expressing: own }, { size: others, expressing: rest });
  expect(tooSmall()).toBeLessThan(2);
});

test('without a value in perturbed cells the upper limit is that of the rule of three', () => {
  const controls = { cells: 100, expressing: 20, sum: 40, squares: 100 };
  const none = { cells: 60, expressing: 0, sum: 0, squares: 0 };
  expect(remainingExpression(none, controls)).toEqual({ share: 0, low: 0, high: (0.05 * 2) / 0.4 });
  expect(remainingExpression(none, { ...controls, expressing: 0, sum: 0, squares: 0 }).share).toBeNaN();
});

test.each([
  'control',
  'Control',
  'ctrl',
  'non-targeting',
  'Non-Targeting_12',
  'non_targeting_00012',
  'nontargeting',
  'NT',
  'NT-1',
  'sgNT2',
  'NTC_3',
  'NegCtrl0',
  'neg_ctrl_4',
  'negative control',
  'NegCtrl0__NegCtrl1',
  'safe-targeting',
  'safe_harbor_2',
  'AAVS1',
  'AAVS1_g1',
  'scramble',
  'unperturbed',
  'no perturbations',
  'LacZ',
  'non-targeting_AACGTTGCAACG',
  'ctrl+ctrl',
  'NT guide 3',
])('%s is a control', (name) => expect(isControlName(name)).toBe(true));

test.each([
  'KLF1',
  'NTRK1',
  'CTRL1A-2x',
  'NCAM1',
  'NEGR1',
  'CONTROLX',
  'SAFB',
  'NTN4_1',
  'ROSA',
  '',
  '<b>control</b>',
  'NegCtrl0_FOXA1',
  'KLF1+ctrl',
  'ctrl_KLF1',
  'ctrl_EGR1',
])('%s is no control', (name) => expect(isControlName(name)).toBe(false));

test('a long name is read once', () => {
  expect(isControlName(`nt${'_1'.repeat(100_000)}x`)).toBe(false);
  expect(isControlName(`nt${'_1'.repeat(100_000)}`)).toBe(true);
});

test('targets are the genes in the name of a perturbation', () => {
  const genes = ['KLF1', 'BAK1', 'HLA-A', 'GATA1', 'NKX2-1'];
  const find = (gene: string) => (genes.includes(gene) ? genes.indexOf(gene) : undefined);
  const targets = (name: string) => targetGenes(name, find).map((row) => genes[row]);
  expect(targets('KLF1')).toEqual(['KLF1']);
  expect(targets('KLF1_2')).toEqual(['KLF1']);
  expect(targets('sgGATA1-3')).toEqual(['GATA1']);
  expect(targets('HLA-A_1')).toEqual(['HLA-A']);
  expect(targets('NKX2-1')).toEqual(['NKX2-1']);
  expect(targets('KLF1+BAK1')).toEqual(['KLF1', 'BAK1']);
  expect(targets('KLF1_BAK1__KLF1_BAK1')).toEqual(['KLF1']);
  expect(targets('KLF1+ctrl')).toEqual(['KLF1']);
  expect(targets('unknown <b>')).toEqual([]);
});

test('columns of perturbations and guides are recognized by usual names', () => {
  expect(perturbationColumns(['leiden', 'Guide.Identity', 'perturbation'])).toEqual([
    'perturbation',
    'Guide.Identity',
  ]);
  expect(perturbationColumns(['leiden', 'genetic_perturbation_id'])).toEqual(['genetic_perturbation_id']);
  expect(perturbationColumns(['leiden', 'patient'])).toEqual([]);
  expect(guideColumns(['perturbation', 'sgRNA'])).toEqual(['sgRNA']);
});
