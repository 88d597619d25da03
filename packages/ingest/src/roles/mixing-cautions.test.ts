import type { CategoricalColumn, Column, Table } from '@cellfolio/model';
import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { mixingCautions } from './mixing-cautions.ts';

const CELLS = 600;

function categories(codeOf: (cell: number) => number, count: number): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int8Array.from({ length: CELLS }, (_, cell) => codeOf(cell)),
    categories: Array.from({ length: count }, (_, at) => String(at)),
    categoryType: 'string',
    ordered: false,
  };
}

function tableOf(columns: Record<string, Column>): Table {
  const index = packStrings(Array.from({ length: CELLS }, (_, cell) => String(cell)));
  return { rowCount: CELLS, indexName: '_index', index, columns: new Map(Object.entries(columns)) };
}

const sample = categories((cell) => cell % 3, 3);
const apart = categories((cell) => cell % 6, 6);
const mixed = categories((cell) => Math.floor(cell / 3) % 6, 6);

test('clusters that came with a file and are one sample each are told', () => {
  const [caution, ...others] = mixingCautions(
    tableOf({ sample, leiden: apart }),
    { chosen: { cluster: 'leiden' } },
    undefined,
  );
  expect(others).toEqual([]);
  expect(caution).toMatchObject({
    code: 'samples-not-mixed',
    numbers: { column: 'sample', clusters: 6, samples: 3, oneSampleClusters: 6 },
  });
});

test('mixed samples, no samples and no clusters are not', () => {
  const chosen = { cluster: 'leiden' };
  expect(mixingCautions(tableOf({ sample, leiden: mixed }), { chosen }, undefined)).toEqual([]);
  expect(mixingCautions(tableOf({ leiden: apart }), { chosen }, undefined)).toEqual([]);
  expect(mixingCautions(tableOf({ sample }), { chosen: {} }, undefined)).toEqual([]);
});

test('patients under a name of their own are looked at too, and neighbours where they were measured', () => {
  const chosen = { cluster: 'leiden', patient: 'who' };
  const near = { column: 'who', neighbours: 14, effectiveSamples: 1.1, expectedSamples: 3 };
  const [caution] = mixingCautions(tableOf({ who: sample, leiden: apart }), { chosen }, near);
  expect(caution!.message).toContain("samples of 'who'");
  expect(caution!.numbers).toMatchObject({ effectiveSamples: 1.1, expectedSamples: 3 });
});
