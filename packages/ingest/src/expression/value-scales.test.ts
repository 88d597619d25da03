import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denseValues } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import type { ImportColumns } from '../import-columns.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import {
  normalised,
  simulatedCounts,
  writeSimulated,
  type SimulatedFile,
  type StoredFormat,
} from '../testing/simulated-files.ts';
import { presented } from '../formats/open-dataset-file.ts';
import { openCounts } from '../counts/open-counts.ts';
import { candidates } from './candidates.ts';

const cells = 160;
const genes = 120;
const simulated = simulatedCounts(8, cells, genes);
const natural = normalised(simulated, 1e4, Math.log1p);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'value-scales-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function written(file: Partial<SimulatedFile> & Pick<SimulatedFile, 'values'>): Promise<string> {
  const path = join(folder, `file-${files++}.h5ad`);
  await writeSimulated(path, { cellCount: cells, geneCount: genes, ...file });
  return path;
}

async function imported(path: string, columns: ImportColumns = {}) {
  const id = `d-${files++}.h5ad`;
  const { manifest, report } = await importH5ad({
    path,
    root: folder,
    id,
    catalogue: fixtureCatalogue('Scales'),
    columns,
  });
  const dataset = await openDataset(new FileObjectStore(folder), id);
  const values = new Float64Array(cells * genes);
  for (let gene = 0; gene < manifest.geneCount; gene++)
    denseValues(await dataset.gene(gene)).forEach(
      (value, cell) => (values[cell * manifest.geneCount + gene] = value),
    );
  return { manifest, report, values };
}

function largestDifference(values: Float64Array, expected: Float64Array): number {
  return expected.reduce((largest, want, at) => Math.max(largest, Math.abs(want - values[at]!)), 0);
}

const log = (base: number) => (value: number) => Math.log1p(value) / Math.log(base);
const medianLog = normalised(simulated, 'median', Math.log1p);
const millionLog = normalised(simulated, 1e6, Math.log1p);

function perMillion(total: number): Float64Array {
  const byLength = simulated.counts.map((count, at) => count / (0.3 + (((at % genes) * 7919) % 97) / 20));
  return normalised({ ...simulated, counts: byLength }, total, (value) => value);
}

describe.each(['csr', 'csc', 'dense'] satisfies StoredFormat[])('stored as %s', (format) => {
  test.each([
    ['natural logarithms', natural, natural, 'log1p'],
    ['natural logarithms at the median total', medianLog, medianLog, 'log1p'],
    ['natural logarithms at a million', millionLog, millionLog, 'log1p'],
    ['logarithms to base 2', normalised(simulated, 1e4, log(2)), natural, 'log2'],
    ['logarithms to base 10', normalised(simulated, 1e4, log(10)), natural, 'log10'],
    ['linear values at a million', normalised(simulated, 1e6, Number), millionLog, 'linear'],
    ['linear values at the median total', normalised(simulated, 'median', Number), medianLog, 'linear'],
    ['small linear values without multiples', perMillion(20), perMillion(20).map(Math.log1p), 'linear'],
    [
      'logarithms without multiples',
      perMillion(1e4).map(Math.log1p),
      perMillion(1e4).map(Math.log1p),
      'log1p',
    ],
    [
      'logarithms to base 2 without multiples',
      perMillion(1e4).map(log(2)),
      perMillion(1e4).map(Math.log1p),
      'log2',
    ],
  ] as const)('%s are recognised and become ln(1 + x)', async (_, values, expected, read) => {
    const { manifest, values: got, report } = await imported(await written({ values, format }));
    expect(manifest.expression).toMatchObject({
      state: 'log-normalised',
      scale: { read, stored: 'log1p' },
    });
    expect(largestDifference(got, expected)).toBeLessThan(1e-5);
    expect(report.expression.undecided).toBe(false);
  });
});

test('counts stored as floats are counts, empty cells or not', async () => {
  const counts = simulated.counts.slice();
  counts.fill(0, 0, 3 * genes);
  const { manifest } = await imported(await written({ values: counts }));
  expect(manifest.expression).toMatchObject({ state: 'normalised-here', scale: { read: 'counts' } });
  const { manifest: empty } = await imported(
    await written({ values: normalised({ ...simulated, counts }, 1e4, log(2)) }),
  );
  expect(empty.expression.scale).toMatchObject({ read: 'log2', basis: 'whole-multiples' });
});

test.each([
  ['missing', NaN, '1 is missing (NaN)'],
  ['negative', -3, '1 is negative (the lowest is -3)'],
  ['infinite', Infinity, 'some are infinite'],
])(
  'counts of which one is %s are refused, wherever it is, and taken only for what they are declared to be',
  async (_, value, reason) => {
    for (const at of [0, (cells * genes) >> 1, cells * genes - 1]) {
      const counts = simulated.counts.slice();
      counts[at] = value;
      const path = await written({ values: counts });
      await expect(inspectH5ad(path)).rejects.toMatchObject({
        code: 'damaged-counts',
        part: 'X',
        problem: `its values are whole numbers, as raw counts are, but ${reason}.`,
      });
      // A better matrix of the file is taken instead.
      const { expression } = await inspectH5ad(await written({ values: counts, raw: { values: natural } }));
      expect(expression.source).toMatchObject({ path: 'raw/X', hasCounts: false });
    }
  },
);

test('a count that is none where no sample looks is found when all are read, and nothing is left', async () => {
  const cellCount = 20_000;
  const counts = Float64Array.from({ length: cellCount * 40 }, (_, at) => (at % 3) + 1);
  counts[40 * 1500] = -1;
  const path = await written({ values: counts, cellCount, geneCount: 40 });
  expect((await inspectH5ad(path)).expression.source.state).toBe('normalised-here');
  await expect(imported(path)).rejects.toMatchObject({ code: 'damaged-counts' });
});

test('raw counts in a layer are kept beside raw, where both are of the same genes in the same order', async () => {
  const scaled = natural.map((value) => value - 1);
  const layers = { counts: simulated.counts };
  const { manifest } = await imported(await written({ values: scaled, raw: { values: natural }, layers }));
  expect(manifest.expression).toMatchObject({ path: 'raw/X', state: 'log-normalised', hasCounts: true });
  const varNames = Array.from({ length: genes }, (_, gene) => `OTHER${gene}`);
  const { manifest: other } = await imported(
    await written({ values: scaled, raw: { values: natural, varNames }, layers }),
  );
  expect(other.expression).toMatchObject({ path: 'raw/X', hasCounts: false });
});

test('a subset of genes, whose totals differ, is detected by whole multiples', async () => {
  const subset = (values: Float64Array) => values.map((value, at) => (at % genes < 40 ? value : 0));
  const { manifest } = await imported(await written({ values: subset(natural) }));
  expect(manifest.expression.scale).toMatchObject({ read: 'log1p', basis: 'whole-multiples' });
});

test('scaled values stay scaled', async () => {
  const { manifest } = await imported(await written({ values: natural.map((value) => value - 1) }));
  expect(manifest.expression).toMatchObject({ state: 'scaled', scale: { read: 'scaled', stored: 'scaled' } });
});

test('what was done and the total that is not 10,000 stand in the report with their figures', async () => {
  const path = await written({ values: normalised(simulated, 1e6, Number) });
  const { warnings, expression } = await inspectH5ad(path);
  const caution = warnings.find(({ code }) => code === 'values-converted');
  expect(caution?.message).toContain('add up to about 1,000,000, not 10,000');
  expect(caution?.numbers?.['total']).toBeCloseTo(1e6, -2);
  expect(expression.what).toContain('ln(1 + x) is taken');
  const base2 = await inspectH5ad(await written({ values: normalised(simulated, 1e4, log(2)) }));
  expect(base2.warnings.find(({ code }) => code === 'values-converted')?.numbers).toEqual({
    factor: Math.LN2,
  });
});

describe('values that leave it open', () => {
  const open = perMillion(1e4).map((value, at) =>
    at % genes < 25 ? Math.log1p(value * (1 + (Math.floor(at / genes) % 7))) : 0,
  );

  test('are refused with the evidence, and taken as they are declared to be', async () => {
    const path = await written({ values: open });
    const inspected = await inspectH5ad(path);
    expect(inspected.expression).toMatchObject({ undecided: true, source: { state: 'unknown' } });
    expect(inspected.expression.source.scale?.why).toMatch(/Read as ln\(1 \+ x\), .*differ by/);
    await expect(imported(path)).rejects.toMatchObject({ code: 'undecided-scale', part: 'X' });
    for (const [expression, factor] of [
      ['log1p', 1],
      ['log2', Math.LN2],
      ['log10', Math.LN10],
    ] as const) {
      const { values, manifest } = await imported(path, { expression });
      expect(manifest.expression.scale).toMatchObject({ read: expression, basis: 'answer' });
      const scaledValues = open.map((value) => value * factor);
      expect(largestDifference(values, scaledValues)).toBeLessThan(1e-5);
    }
    const { values } = await imported(path, { expression: 'linear' });
    expect(largestDifference(values, open.map(Math.log1p))).toBeLessThan(1e-5);
    const counted = await imported(path, { expression: 'counts' });
    expect(counted.manifest.expression).toMatchObject({ hasCounts: true, fractionalCounts: true });
    const expected = normalised({ ...simulated, counts: open }, 1e4, Math.log1p);
    expect(largestDifference(counted.values, expected)).toBeLessThan(1e-5);
  });

  test('are what uns/log1p says, a base of its own or none', async () => {
    const { manifest } = await imported(await written({ values: open, base: 'none given' }));
    expect(manifest.expression.scale).toMatchObject({ read: 'log1p', basis: 'record' });
    const { manifest: two } = await imported(await written({ values: open, base: 2 }));
    expect(two.expression.scale).toMatchObject({ read: 'log2', basis: 'record' });
    await expect(imported(await written({ values: open, base: 3 }))).rejects.toMatchObject({
      code: 'undecided-scale',
    });
  });

  test('are compared with the raw counts of the same cells', async () => {
    // Whole counts of at least 5, so that no value is a multiple of the smallest.
    const deep = simulated.counts.map((count) => (count === 0 ? 0 : 5 + 2 * count));
    const sizes = Float64Array.from({ length: cells }, (_, cell) => 0.5 + (cell % 11) / 7);
    const values = deep.map((count, at) => Math.log1p(count / sizes[Math.floor(at / genes)]!) / Math.LN2);
    await expect(imported(await written({ values }))).rejects.toMatchObject({ code: 'undecided-scale' });
    const { manifest } = await imported(await written({ values, layers: { counts: deep } }));
    expect(manifest.expression).toMatchObject({
      path: 'X',
      hasCounts: true,
      scale: { read: 'log2', basis: 'counts' },
    });
  });
});

test('a wrong record of the base is reported, and the values decide', async () => {
  const path = await written({ values: normalised(simulated, 1e4, log(2)), base: 'none given' });
  const { manifest } = await imported(path);
  expect(manifest.expression.scale?.read).toBe('log2');
  const caution = manifest.warnings.find(({ code }) => code === 'record-contradicted');
  expect(caution?.numbers).toMatchObject({ recorded: 'log1p', read: 'log2' });
});

test.each(['csr', 'csc', 'dense'] satisfies StoredFormat[])(
  'counts with fractions (%s) lead to a question, and are kept and normalised where they are declared counts',
  async (format) => {
    // Corrected by a sixteenth at most, in cells of different depth.
    const counts = simulated.counts.map((count, at) => {
      const depth = 1 + 3 * (Math.floor(at / genes) % 5);
      return count === 0 ? 0 : 4 * depth * count - ((at % 7) + 1) / 16;
    });
    const path = await written({ values: counts, format });
    const { expression } = await inspectH5ad(path);
    expect(expression).toMatchObject({ undecided: true, source: { state: 'unknown', hasCounts: false } });
    expect(expression.source.scale?.why).toMatch(
      /For counts, .*totals .* For normalized values: .*fractions/,
    );
    await expect(imported(path)).rejects.toMatchObject({
      code: 'undecided-scale',
      hint: 'Say which they are: counts or linear.',
    });
    const { manifest, values, report } = await imported(path, { expression: 'counts' });
    expect(manifest.expression).toMatchObject({
      state: 'normalised-here',
      hasCounts: true,
      fractionalCounts: true,
    });
    const entries = counts.filter((count) => count !== 0).length;
    const cautions = report.warnings.filter(({ code }) => code === 'fractional-counts');
    expect(cautions.map(({ numbers }) => numbers)).toEqual([{ fractional: entries, values: entries }]);
    expect(largestDifference(values, normalised({ ...simulated, counts }, 1e4, Math.log1p))).toBeLessThan(
      1e-5,
    );
    // What computes from counts takes whole ones.
    expect(await openCounts(path, { expression: 'counts' })).toBeUndefined();
    const contradicted = await imported(path, { expression: 'log2' });
    expect(contradicted.manifest.warnings.map(({ code }) => code)).toContain('answer-contradicted');
  },
);

test('an answer that the values contradict is followed, with a caution; an impossible one is refused', async () => {
  const { manifest, values } = await imported(await written({ values: natural }), { expression: 'log2' });
  const caution = manifest.warnings.find(({ code }) => code === 'answer-contradicted');
  expect(caution?.numbers).toMatchObject({ answer: 'log2' });
  expect(caution?.message).toContain('look like ln(1 + x)');
  expect(
    largestDifference(
      values,
      natural.map((value) => value * Math.LN2),
    ),
  ).toBeLessThan(1e-5);
  const negative = await written({ values: natural.map((value) => value - 1) });
  await expect(imported(negative, { expression: 'linear' })).rejects.toMatchObject({
    code: 'impossible-scale',
  });
  await expect(imported(negative, { expression: 'counts' })).rejects.toMatchObject({ code: 'no-counts' });
  // No counts become of what was recognised as logarithms.
  const logarithms = await written({ values: natural });
  await expect(imported(logarithms, { expression: 'counts' })).rejects.toMatchObject({ code: 'no-counts' });
  const missing = simulated.counts.map((count, at) => (at === 0 ? NaN : 40.5 * count));
  await expect(imported(await written({ values: missing }), { expression: 'counts' })).rejects.toMatchObject({
    code: 'impossible-scale',
  });
});

test('the scale of a gene-major matrix costs one pass over its entries, of a cell-major one eight places', async () => {
  const read = vi.spyOn(Hdf5File.prototype, 'read');
  const large = simulatedCounts(9, 3000, genes);
  const values = normalised(large, 1e4, Math.log1p);
  const entries = values.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0);
  const elementsRead = async (format: StoredFormat): Promise<number> => {
    const path = join(folder, `large-${format}.h5ad`);
    await writeSimulated(path, { cellCount: 3000, geneCount: genes, values, format });
    const file = await Hdf5File.open(path);
    read.mockClear();
    expect(candidates(presented(file))[0]?.content).toBe('log-normalised');
    file.close();
    return read.mock.calls
      .filter(([info]) => info.path === 'X/data')
      .reduce((sum, [, { count }]) => sum + count.reduce((product, n) => product * n, 1), 0);
  };
  expect(entries).toBeGreaterThan(8 * 16_384);
  expect(await elementsRead('csr')).toBeLessThanOrEqual(8 * 16_384);
  expect(await elementsRead('csc')).toBeLessThanOrEqual(entries + 8 * 16_384);
  read.mockRestore();
});
