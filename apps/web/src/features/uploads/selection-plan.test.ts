import { expect, test } from 'vitest';
import { doubtAbout, filesByName, nameKey } from './same-names.ts';
import { groupTrios, planSelection } from './selection-plan.ts';
import type { UserFile } from './user-files.ts';

const noon = Date.parse('2026-01-31T12:00:00Z');

function file(
  original: string,
  seconds = 0,
  name = original.replace(/\.(mtx|tsv|h5ad)(\.gz)?$/, ''),
): UserFile {
  const chosen = noon + 1000 * seconds;
  return {
    id: `${original} ${seconds}`,
    user_id: 'ada',
    file_name: name,
    original_filename: original,
    description: null,
    file_size: 1536,
    mime_type: null,
    file_path: `ada/${chosen}_${original}`,
    created_at: new Date(chosen).toISOString(),
  };
}

const trio = (prefix = '', seconds = 0) =>
  ['barcodes.tsv.gz', 'features.tsv.gz', 'matrix.mtx.gz'].map((name) => file(prefix + name, seconds));
const doubt = (three: UserFile[], others: UserFile[] = []) =>
  doubtAbout(three, filesByName([...three, ...others]))?.reason ?? null;
const plan = (selected: UserFile[], others: UserFile[] = [], allowed = true) =>
  planSelection(selected, { states: undefined, byName: filesByName([...selected, ...others]), allowed });

test('names are the same whatever packs a file and however its features are called', () => {
  expect(nameKey(file('S1_genes.tsv'))).toBe(nameKey(file('s1_features.tsv.gz')));
  expect(nameKey(file('cells.h5ad'))).toBe(nameKey(file('cells.h5ad')));
  expect(nameKey(file('matrix.mtx'))).not.toBe(nameKey(file('matrix.mtx', 0, 'treated_1_matrix')));
  expect(nameKey(file('matrix.mtx', 0, 'Counts'))).not.toBe(nameKey(file('barcodes.tsv', 0, 'Counts')));
});

test('three files are doubted for the samples in their names, for others of the same names, and for their times', () => {
  const [barcodes, features, matrix] = trio() as [UserFile, UserFile, UserFile];
  const later = trio('', 40);
  expect(doubt(trio())).toBeNull();
  expect(doubt(trio('treated_1_'), trio('treated_2_'))).toBeNull();
  expect(doubt(trio(), later)).toMatch(
    /^Other files have the same names, and these three were uploaded together/,
  );
  expect(doubt([barcodes, features, later[2]!], [matrix])).toMatch(/these three were not uploaded together/);
  expect(
    doubt([file('treated_1_barcodes.tsv'), file('treated_1_features.tsv'), file('treated_2_matrix.mtx')]),
  ).toBe('Their names suggest different samples.');
  expect(doubt([file('barcodes.tsv'), file('features.tsv'), file('treated_2_matrix.mtx')])).toMatch(
    /different/,
  );
  // One after the other within an hour is how many upload.
  expect(doubt([barcodes, features, file('matrix.mtx.gz', 3000)])).toBeNull();
  expect(doubt([barcodes, features, file('matrix.mtx.gz', 4000)])).toBe(
    'These three were not uploaded together.',
  );
  expect(doubt([...trio('S1_').slice(0, 2), file('S1_matrix.mtx.gz', 4000)])).toBeNull();
});

test('a doubt names each file with its time, and those it may be mistaken for', () => {
  const later = trio('', 40);
  const [first] = doubtAbout(trio(), filesByName([...trio(), ...later]))!.files;
  expect(first).toMatch(
    /^barcodes\.tsv\.gz of January 31, 2026, \d\d:00:00; another of January 31, 2026, \d\d:00:40$/,
  );
});

test('nine files are three matrices by the samples of their names, in their order', () => {
  const nine = ['treated_10_', 'treated_9_', 'control_'].flatMap((prefix) => trio(prefix));
  const { action, trios, left, doubts, hint } = plan(nine);
  expect(action).toBe('convertSeveral');
  expect(trios.map(({ sample }) => sample)).toEqual(['control', 'treated_9', 'treated_10']);
  expect(trios.every(({ files }) => files.length === 3)).toBe(true);
  expect(hint).toMatch(/^3 matrices are complete: control, treated_9, treated_10\./);
  expect([left, doubts]).toEqual([[], []]);
});

test('a matrix without one of its tables, equal names and other names are left out, each with its reason', () => {
  const [, , ...withoutTables] = trio('B_');
  expect(plan([...trio('A_'), ...withoutTables])).toMatchObject({
    action: 'convertSeveral',
    trios: [{ sample: 'A' }],
    left: ['B: barcodes and features missing.'],
  });
  expect(groupTrios([...trio(), ...trio('', 40)])).toEqual({
    trios: [],
    left: [expect.stringMatching(/^Several files have the same name.*barcodes\.tsv\.gz, features\.tsv\.gz/)],
  });
  expect(groupTrios([file('counts.mtx'), file('more.tsv')]).left).toEqual([
    expect.stringMatching(/^counts\.mtx, more\.tsv: the name does not end in/),
  ]);
  expect(plan([...trio('', 0), ...trio('', 40)])).toMatchObject({
    action: null,
    hint: 'No three of these files belong together by their names.',
  });
});

test('several matrices are confirmed where one of them has files of the same names', () => {
  const { doubts } = plan([...trio('A_'), ...trio('B_')], trio('B_', 40));
  expect(doubts).toEqual([[expect.stringMatching(/^B: Other files have the same names/)]]);
});

test('datasets are combined, and not with files that are to be converted first', () => {
  expect(plan([file('a.h5ad'), file('b.h5ad')]).action).toBe('combine');
  expect(plan([file('a.h5ad'), ...trio()])).toMatchObject({
    action: null,
    hint: expect.stringMatching(/Convert the matrices first/),
  });
  expect(plan([...trio('A_'), ...trio('B_')], [], false)).toMatchObject({
    action: null,
    check: { text: 'Conversion is part of the Professional plan.' },
  });
});
