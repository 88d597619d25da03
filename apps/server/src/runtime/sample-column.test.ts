import type { CategoricalColumn, Column } from '@cellfolio/model';
import type { Dataset, DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { nestingCautions } from './nesting-cautions.ts';
import { sampleColumn, samplesOfSides } from './sample-column.ts';

interface DatasetOptions {
  patient?: string;
  quality?: string;
  mixing?: string;
  columns?: Readonly<Record<string, readonly string[]>>;
}

function dataset({ patient, quality, mixing, columns = {} }: DatasetOptions) {
  const obsColumns = new Map<string, Column>(
    Object.entries(columns).map(([name, values]) => [name, column(values)]),
  );
  const metadata = Object.fromEntries(Object.keys(columns).map((name) => [name, name]));
  return {
    manifest: {
      roles: { metadata, ...(patient && { patient }) },
      processing: {
        ...(quality && { quality: { sampleColumn: quality } }),
        ...(mixing && { mixing: { column: mixing } }),
      },
    } as unknown as DatasetManifest,
    obsColumnNames: [...obsColumns.keys()],
    obs: async (name: string) => obsColumns.get(name)!,
  } as Pick<Dataset, 'manifest' | 'obs' | 'obsColumnNames'>;
}

function column(values: readonly string[]): CategoricalColumn {
  const categories = [...new Set(values)];
  const codes = Int32Array.from(values, (value) => categories.indexOf(value));
  return { kind: 'categorical', categories, codes, categoryType: 'string', ordered: false };
}

const lanes = (count: number) => Array.from({ length: 4 * count }, (_, at) => `s${at}`);
const ofLanes = (count: number, name: (unit: number) => string) =>
  Array.from({ length: 4 * count }, (_, at) => name(Math.floor(at / 4)));
const mice = (count: number) => ofLanes(count, (mouse) => `m${mouse}`);
const halves = (count: number) => Uint16Array.from({ length: 4 * count }, (_, at) => Number(at >= 2 * count));

async function onSides(options: DatasetOptions, slots: Uint16Array, chosen?: string, others: string[] = []) {
  const data = dataset(options);
  const samples = await sampleColumn(data, chosen);
  const sideSamples = await samplesOfSides(data, samples!, { slots, others }, new AbortController().signal);
  return sideSamples!.samples;
}

test('samples are the patients, else what quality control took for them, else those whose mixing was measured', async () => {
  expect(await sampleColumn(dataset({ patient: 'donor', quality: 'batch' }))).toMatchObject({
    column: 'donor',
  });
  expect(await sampleColumn(dataset({ quality: 'batch', mixing: 'lane' }))).toEqual({
    column: 'batch',
    reason: 'the samples that quality control was done by',
  });
  expect(await sampleColumn(dataset({ mixing: 'lane' }))).toMatchObject({ column: 'lane' });
  expect(await sampleColumn(dataset({}))).toBeUndefined();
});

test('a column of one value is passed over for one whose name says that it is of individuals', async () => {
  const columns = { patient: ofLanes(2, () => 'P1'), animal: mice(2) };
  expect(await sampleColumn(dataset({ patient: 'patient', columns }))).toEqual({
    column: 'animal',
    reason: 'its name says so',
  });
  const { patient } = columns;
  expect(await sampleColumn(dataset({ patient: 'patient', columns: { patient } }))).toMatchObject({
    column: 'patient',
  });
});

test('the animals that hold the samples are the replicates, with the reason', async () => {
  const columns = { sample: lanes(6), mouse: mice(6), batch: ofLanes(6, (mouse) => `b${mouse % 2}`) };
  const detected = await sampleColumn(dataset({ patient: 'sample', columns }));
  expect(detected).toMatchObject({
    column: 'mouse',
    reason: '6 values, chosen because each of 24 values of Sample lies in one mouse',
  });
  const sides = await onSides({ patient: 'sample', columns }, halves(6));
  expect(sides).toEqual(detected);
  expect(nestingCautions(sides)).toEqual([]);
});

test('animals that are recorded as the patients are taken for the same reason, and their samples where one animal is on a side', async () => {
  const columns = (count: number) => ({ sample_id: lanes(count), mouse: mice(count) });
  expect(await sampleColumn(dataset({ patient: 'mouse', columns: columns(6) }))).toMatchObject({
    column: 'mouse',
    reason: '6 values, chosen because each of 24 values of Sample Id lies in one mouse',
    nesting: { samples: { column: 'sample_id', values: 24 } },
  });
  expect((await onSides({ patient: 'mouse', columns: columns(6) }, halves(6))).column).toBe('mouse');
  expect((await onSides({ patient: 'mouse', columns: columns(2) }, halves(2))).column).toBe('sample_id');
  const crossed = { sample: ofLanes(6, (mouse) => `s${mouse % 2}`), mouse: mice(6) };
  expect(await sampleColumn(dataset({ patient: 'mouse', columns: crossed }))).not.toHaveProperty('nesting');
});

test('the same columns under names that say nothing are named to choose from, and not taken', async () => {
  const columns = { sample: lanes(6), xyz: mice(6), sex: ofLanes(6, (mouse) => `${mouse % 2}`) };
  const sides = await onSides({ patient: 'sample', columns }, halves(6));
  expect(sides).toMatchObject({ column: 'sample' });
  expect(nestingCautions(sides)).toMatchObject([
    { code: 'samples-may-be-nested', numbers: { unitColumns: ['xyz'], units: [6] } },
  ]);
  // A column that the sides are made of is what is compared.
  expect(
    nestingCautions(await onSides({ patient: 'sample', columns }, halves(6), undefined, ['xyz'])),
  ).toEqual([]);
});

test('with one animal on a side its samples are compared, and a caution reports that they are of one animal', async () => {
  const columns = { sample: lanes(2), mouse: mice(2) };
  const sides = await onSides({ patient: 'sample', columns }, halves(2));
  expect(sides).toMatchObject({
    column: 'sample',
    reason: 'its 8 values lie in 2 mice, too few on a side to be replicates',
  });
  const [caution] = nestingCautions(sides);
  expect(caution).toMatchObject({
    code: 'samples-nested',
    numbers: { samples: 8, units: 2, samplesPerUnit: 4 },
  });
  const [correlated] = nestingCautions(sides, { correlation: 0, random: undefined });
  expect(correlated!.message).toMatch(
    /^The replicates are 8 samples \(Sample\) of 2 mice, too few mice on a side: .* Limit conclusions to these mice, or compare more of them\.$/,
  );
});

test('of nested units the outermost that has two on each side is taken', async () => {
  const columns = {
    sample: lanes(6),
    embryo: mice(6),
    donor: ofLanes(6, (embryo) => (embryo < 3 ? 'd1' : 'd2')),
  };
  const sideSamples = await onSides({ patient: 'sample', columns }, halves(6));
  expect(sideSamples.column).toBe('embryo');
  const crossed = Uint16Array.from({ length: 24 }, (_, at) => Number(Math.floor(at / 4) % 2));
  expect((await onSides({ patient: 'sample', columns }, crossed)).column).toBe('donor');
});

test('labels of replicates are taken where no side shares one with the other', async () => {
  const named = (name: (unit: number) => string) => ({ sample: lanes(6), replicate: ofLanes(6, name) });
  const own = await onSides({ patient: 'sample', columns: named((unit) => `r${unit}`) }, halves(6));
  expect(own.column).toBe('replicate');
  const shared = await onSides({ patient: 'sample', columns: named((unit) => `r${unit % 3}`) }, halves(6));
  expect(shared).toMatchObject({ column: 'sample' });
});

test('a caution reports to a user who chooses the samples of animals what they share', async () => {
  const columns = { sample: lanes(6), mouse: mice(6) };
  const sides = await onSides({ patient: 'mouse', columns }, halves(6), 'sample');
  expect(sides).toMatchObject({ column: 'sample', reason: 'the column that was chosen' });
  const [caution] = nestingCautions(sides, { correlation: 0.6, random: undefined });
  expect(caution).toMatchObject({
    code: 'samples-nested',
    numbers: { samples: 24, units: 6, samplesPerUnit: 4, correlation: 0.6, effectiveSamples: 8.6 },
  });
  expect(caution!.message).toContain('24 samples (Sample) of 6 mice');
  expect(caution!.message).toContain('worth about 9 independent ones');
});

test('samples of one donor on either side are no pseudoreplicates, but pairs', async () => {
  const columns = {
    library: lanes(3).slice(0, 8),
    donor: Array.from({ length: 8 }, (_, at) => `d${at >> 1}`),
  };
  const slots = Uint16Array.from({ length: 8 }, (_, at) => at % 2);
  const sides = await onSides({ patient: 'donor', columns }, slots, 'library');
  expect(nestingCautions(sides)).toMatchObject([
    { code: 'units-not-paired', numbers: { samples: 8, units: 4 } },
  ]);
});
