import type { QualityPlan } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { h5adReport, testFile, testId } from '@/testing/own-jobs.ts';
import type { UserFile } from '../user-files.ts';
import {
  checkSamples,
  columnProblem,
  fieldKey,
  fieldProblems,
  formProblem,
  importSamples,
  samplesForm,
  samplesRequest,
  withValue,
} from './samples-form.ts';
import { readResolutions } from './samples-settings.tsx';

function file(number: number, name: string): UserFile {
  return {
    id: testId(number),
    user_id: 'ada',
    file_name: name,
    original_filename: `${name}.h5ad`,
    description: null,
    file_size: 1,
    mime_type: null,
    file_path: '',
    created_at: '',
  };
}

const files = [file(1, 'GSM12 Donor 2'), file(2, 'GSM11 Donor 1')];
const archiveMetadata = new Map<string, Record<string, string>>([
  [testId(1), { condition: 'ill', organism: 'Homo sapiens', __proto__x: 'a' }],
  [testId(2), { condition: 'well', organism: 'Homo sapiens' }],
]);
const form = () => samplesForm(files, (id) => archiveMetadata.get(id) ?? null);

test('samples are named by their accession, with what the archive says of them where they differ', () => {
  const { entries, columns } = form();
  expect(entries.map(({ sample }) => sample)).toEqual(['GSM11', 'GSM12']);
  expect(columns).toEqual(['condition', 'patient', 'batch', '__proto__x']);
  expect(entries.map(({ values }) => values['condition'])).toEqual(['well', 'ill']);
});

test('columns without any value are not sent, and each sample has a value of the others', () => {
  const filled = withValue({ ...form(), name: ' both ' }, testId(2), 'patient', ' P1 ');
  expect(samplesRequest(filled)).toEqual({
    file_name: 'both',
    genes: 'shared',
    choices: {},
    samples: [
      {
        file_id: testId(2),
        sample: 'GSM11',
        values: { condition: 'well', patient: 'P1', __proto__x: '' },
      },
      { file_id: testId(1), sample: 'GSM12', values: { condition: 'ill', patient: '', __proto__x: 'a' } },
    ],
  });
});

test('a sentence gives the reason that prevents sending', () => {
  const named = { ...form(), name: 'both' };
  expect(formProblem(named)).toBeNull();
  expect(formProblem(form())).toBe('Give the new file a name.');
  expect(formProblem(withValue(named, testId(1), 'sample', 'GSM11'))).toBe(
    "The table of samples: sample 2 repeats the sample 'GSM11'; each needs a name of its own.",
  );
  expect(formProblem({ ...named, choices: { batchColumn: 'patient' } })).toBe(
    "Each sample needs a value of 'patient' for it to tell batches apart.",
  );
  expect(columnProblem(named, 'leiden')).toBe('This name is reserved.');
  expect(columnProblem(named, 'batch')).toBe('A column already has this name.');
  expect(columnProblem(named, '__proto__')).toBeNull();
});

test('a table fills in the samples by their files, adds its columns and reports what it left out', () => {
  const text = 'file;sample;sex\n/data/GSM11 Donor 1.h5ad;one;f\nother.h5ad;x;m\n';
  const { form: filled, done, failures } = importSamples(form(), text);
  expect(filled.entries[0]).toMatchObject({ sample: 'one', values: { condition: 'well', sex: 'f' } });
  expect(filled.columns).toEqual(['condition', '__proto__x', 'sex']);
  expect(done).toBe('1 of 2 samples were filled in with sex.');
  expect(failures).toEqual([
    "Line 3 was skipped: no chosen file is called 'other.h5ad'.",
    'Not in the table: GSM12 Donor 2.',
  ]);
});

test('a table without files is about the samples; one that cannot be read changes nothing', () => {
  const before = form();
  expect(importSamples(before, 'sample,sex\nGSM12,m\nGSM11,f\n').form.entries[0]!.values).toMatchObject({
    sex: 'f',
  });
  const unchanged = 'Nothing was filled in; the samples below have not changed';
  expect(importSamples(before, 'name\na\n')).toEqual({
    form: before,
    failures: [`${unchanged}: it has no column 'sample'; its columns are name.`],
  });
  expect(importSamples(before, 'sample,sex\nA,m\nB,f\n')).toEqual({
    form: before,
    failures: [
      `${unchanged}.`,
      "Line 2 was skipped: no sample is called 'A'.",
      "Line 3 was skipped: no sample is called 'B'.",
    ],
  });
});

test('each field that is in the way is named: names that are missing or doubled, batches without a value', () => {
  const names = withValue(form(), testId(1), 'sample', 'GSM11 ');
  expect([...fieldProblems(names)]).toEqual([
    [fieldKey(testId(2), 'sample'), 'Another sample has this name.'],
    [fieldKey(testId(1), 'sample'), 'Another sample has this name.'],
  ]);
  const batches = { ...withValue(form(), testId(1), 'sample', ' '), choices: { batchColumn: 'patient' } };
  const filled = withValue(batches, testId(2), 'patient', 'P1');
  expect([...fieldProblems(filled)]).toEqual([
    [fieldKey(testId(1), 'sample'), 'Enter a name.'],
    [fieldKey(testId(1), 'patient'), 'Enter a value: batches need one.'],
  ]);
});

test('files without raw counts, or without an inspection, are reported before a job starts', () => {
  const report = {
    kind: 'h5ad' as const,
    cells: 700,
    genes: 10,
    expression: '',
    otherFeatures: [],
    hasCounts: false,
    roles: [],
    metadata: [],
    willCompute: [],
    waitsFor: [],
    plans: [],
    notes: [],
    warnings: [],
  };
  expect(checkSamples(form(), [testFile(testId(1), { report })])).toEqual({
    cells: 0,
    waiting: 1,
    cautions: [],
    problems: [
      {
        fileId: testId(1),
        text: 'GSM12 Donor 2: it has no raw counts, and samples can only be combined from them.',
      },
    ],
  });
  const counts = { ...report, hasCounts: true };
  expect(
    checkSamples(
      form(),
      [1, 2].map((n) => testFile(testId(n), { report: counts })),
    ),
  ).toEqual({
    cells: 1400,
    waiting: 0,
    problems: [],
    cautions: [],
  });
});

test('two files that measured the same are reported as alike, and nothing prevents sending', () => {
  const measured = (median: number) => {
    const spread = { median, deviation: 0.5 };
    const group = { cells: 700, thresholds: {}, spreads: { counts: spread, genes: spread } };
    return h5adReport({ quality: { cells: 700, groups: [group], edges: {} } as unknown as QualityPlan });
  };
  const checked = (medians: number[]) =>
    checkSamples(
      form(),
      medians.map((median, at) => testFile(testId(at + 1), { report: measured(median) })),
    );
  expect(checked([8.25, 8.25])).toMatchObject({
    problems: [],
    cautions: [expect.stringMatching(/GSM12 Donor 2.*the same file twice\?$/)],
  });
  expect(checked([8.25, 8.250001]).cautions).toEqual([]);
});

test('resolutions are numbers within their limits', () => {
  expect(readResolutions('0.5, 2 2;4')).toEqual([0.5, 2, 4]);
  expect(readResolutions('')).toEqual([]);
  expect(readResolutions('0.5, x')).toBeNull();
  expect(readResolutions('21')).toBeNull();
});
