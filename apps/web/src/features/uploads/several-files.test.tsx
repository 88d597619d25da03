import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import {
  endedJob,
  h5adReport,
  matrixReport,
  tableReport,
  testFile,
  testId,
  testJob,
} from '@/testing/own-jobs.ts';
import { json } from '@/testing/fakes.ts';
import { fileRow, opened, row } from './own-data.fixture.tsx';

afterEach(() => sessionStorage.clear());

type Page = ReturnType<typeof opened>;

async function select({ user }: Pick<Page, 'user'>, ...names: string[]) {
  for (const name of names) await user.click((await fileRow(name)).getByRole('checkbox'));
}

function samples(...names: string[]) {
  const rows = names.flatMap((name, at) =>
    ['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((part, nth) =>
      row(testId(10 * (at + 1) + nth), `${name}_${part.split('.')[0]}`, `${name}_${part}`),
    ),
  );
  const files = names.flatMap((_, at) =>
    [tableReport('barcodes', 20), tableReport('features', 10), matrixReport(10, 20)].map((report, nth) =>
      testFile(testId(10 * (at + 1) + nth), { report }),
    ),
  );
  return { rows, files, fileNames: rows.map(({ file_name }) => String(file_name)) };
}

test('three matrices are converted at once, what is refused stays selected, and the others can then be combined', async () => {
  const { rows, files, fileNames } = samples('control_1', 'treated_1', 'treated_2');
  const page = opened(rows, { files });
  const { user, fake, table, tell, posted } = page;
  await select(page, ...fileNames);
  expect(screen.getByText(/^3 matrices are complete: control_1, treated_1, treated_2/)).toBeVisible();
  const begun: ReturnType<typeof testJob>[] = [];
  fake.answer('/api/convert', ({ body }) => {
    const { file_ids, file_name } = body as { file_ids: string[]; file_name: string };
    if (file_name === 'treated_1') return json({ code: 'too_many_jobs', message: 'Too many.' }, 429);
    const job = testJob({
      id: testId(901 + begun.length),
      kind: 'convert',
      file_ids,
      name: `${file_name}.h5ad`,
    });
    begun.push(job);
    tell({ jobs: begun });
    return json({ job }, 202);
  });
  await user.click(screen.getByRole('button', { name: 'Convert 3 matrices' }));
  expect(await screen.findByText('treated_1 was not converted: Too many.')).toBeVisible();
  expect(screen.getByText('Converting control_1, treated_2 to H5AD format')).toBeVisible();
  expect(posted('/api/convert')).toEqual(
    ['control_1', 'treated_1', 'treated_2'].map((file_name, at) => ({
      file_name,
      file_ids: [0, 1, 2].map((nth) => testId(10 * (at + 1) + nth)),
    })),
  );
  expect((await fileRow('treated_1_matrix')).getByRole('checkbox')).toBeChecked();
  expect((await fileRow('treated_2_matrix')).getByRole('checkbox')).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.getByText(/^0 of 2 matrices are converted/)).toBeVisible();

  const newRows = begun.map(({ name }, at) => row(testId(50 + at), name.replace('.h5ad', ''), name));
  table.unshift(...newRows);
  tell({
    files: [...files, ...newRows.map(({ id }) => testFile(String(id), { report: h5adReport() }))],
    jobs: begun.map((job, at) =>
      endedJob('done', { ...job, state: 'done', result_file_id: testId(50 + at) }),
    ),
  });
  await user.click(await screen.findByRole('button', { name: 'Combine 2 samples' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Combine samples into one dataset' }));
  for (const name of ['control_1', 'treated_2']) expect(dialog.getByDisplayValue(name)).toBeVisible();
});

test('a matrix whose three files are uploaded is offered as one', async () => {
  const { rows, files, fileNames } = samples('control_1', 'treated_1');
  const page = opened(rows.slice(0, 5), { files: files.slice(0, 5) });
  expect(await screen.findByText('control_1: matrix, barcodes and features are uploaded.')).toBeVisible();
  await page.user.click(screen.getByRole('button', { name: 'Select its 3 files' }));
  for (const name of fileNames.slice(0, 3)) {
    expect((await fileRow(name)).getByRole('checkbox')).toBeChecked();
  }
  expect(screen.getByRole('button', { name: 'Convert to H5AD' })).toBeEnabled();
});

test('a matrix that is being converted is not offered again', async () => {
  const { rows, files } = samples('control_1', 'treated_1');
  const jobs = [testJob({ kind: 'convert', file_ids: [10, 11, 12].map((id) => testId(id)) })];
  opened(rows, { files, jobs });
  expect(await screen.findByText('treated_1: matrix, barcodes and features are uploaded.')).toBeVisible();
});

test('several matrices whose files are uploaded are offered together', async () => {
  const { rows, files } = samples('control_1', 'treated_1');
  const page = opened(rows, { files });
  await page.user.click(await screen.findByRole('button', { name: 'Select the files of 2 matrices' }));
  expect(screen.getByRole('button', { name: 'Convert 2 matrices' })).toBeEnabled();
});

test('a matrix without its features is named, and the complete ones are converted without it', async () => {
  const { rows, files, fileNames } = samples('control_1', 'treated_1', 'treated_2');
  const page = opened(rows, { files });
  await select(page, ...fileNames.filter((name) => name !== 'treated_2_features'));
  expect(screen.getByText('treated_2: features missing.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convert 2 matrices' })).toBeEnabled();
});

test('a matrix with the barcodes of another sample is converted only after the user confirms that they belong together', async () => {
  const parts = ['barcodes.tsv', 'features.tsv', 'matrix.mtx'];
  const goes = [0, 1].map((go) =>
    parts.map((part, nth) =>
      Object.assign(row(testId(10 * (go + 1) + nth), part.split('.')[0]!, part), {
        file_path: `ada/${1_769_860_000_000 + 60_000 * go + nth}_${part}`,
        created_at: `2026-01-31T12:0${go}:0${nth}Z`,
      }),
    ),
  );
  const reports = [tableReport('barcodes', 20), tableReport('features', 10), matrixReport(10, 20)];
  const page = opened(goes.flat(), {
    files: goes.flatMap((go, at) =>
      go.map((_, nth) => testFile(testId(10 * (at + 1) + nth), { report: reports[nth]! })),
    ),
  });
  const list = within(await screen.findByRole('list', { name: 'Your files' }));
  // Equal names are told apart by their times.
  expect(list.getByText(/:00:02$/)).toBeVisible();
  expect(list.getByText(/:01:02$/)).toBeVisible();
  const [barcodes] = list.getAllByRole('checkbox', { name: 'Select barcodes' });
  const [features] = list.getAllByRole('checkbox', { name: 'Select features' });
  const [, matrix] = list.getAllByRole('checkbox', { name: 'Select matrix' });
  for (const box of [barcodes!, features!, matrix!]) await page.user.click(box);
  expect(
    screen.getByText(/^Other files have the same names, and these three were not uploaded together/),
  ).toBeVisible();
  expect(screen.getByText(/^matrix\.mtx of .*:01:02; another of .*:00:02$/)).toBeVisible();
  const button = screen.getByRole('button', { name: 'Convert to H5AD' });
  expect(button).toBeDisabled();
  const sure = screen.getByRole('checkbox', { name: 'These three files belong to one sample.' });
  await page.user.click(sure);
  expect(button).toBeEnabled();
  // What was said of three files holds for no others.
  await page.user.click(matrix!);
  await page.user.click(list.getAllByRole('checkbox', { name: 'Select matrix' })[0]!);
  expect(screen.getByText(/these three were uploaded together/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convert to H5AD' })).toBeDisabled();
});

test('a name that exists already is reported when a file is chosen, until it is renamed', async () => {
  const page = opened([row(testId(1), 'matrix', 'matrix.mtx'), row(testId(2), 'atlas', 'atlas.h5ad')], {});
  await screen.findByRole('list', { name: 'Your files' });
  const texts = { 'matrix.mtx': '%%MatrixMarket matrix', 'features.tsv': 'g' };
  await page.user.upload(
    screen.getByLabelText('Choose files'),
    Object.entries(texts).map(([name, text]) => new File([text], name)),
  );
  const chosen = within(await screen.findByRole('list', { name: 'Chosen files' }));
  expect(chosen.getByText('You already have a file matrix.mtx.')).toBeVisible();
  expect(screen.getByText(/Choose the folder instead, .* or rename the files/)).toBeVisible();
  await page.user.upload(screen.getByLabelText('Choose files'), new File(['gene'], 'features.tsv'));
  expect(await chosen.findAllByText('Another of the chosen files has this name.')).toHaveLength(2);
  const [features, matrix] = [1, 0].map((at) => chosen.getAllByRole('textbox')[at]!);
  await page.user.type(features!, ' of treated 1');
  await page.user.type(matrix!, ' of treated 1');
  expect(chosen.queryByText(/already|Another of/)).toBeNull();
  expect(screen.queryByText(/Choose the folder instead/)).toBeNull();
});

test('selected files are deleted after one question that names them, and one that stays is named', async () => {
  const { rows, files } = samples('control_1');
  const atlas = row(testId(4), 'Atlas', 'atlas.h5ad');
  const page = opened([...rows, atlas], { files });
  const { user, fake, table } = page;
  await select(page, 'control_1_barcodes', 'control_1_matrix', 'Atlas');
  fake.answer('/storage/v1/object/user-files', ({ body }) =>
    (body as { prefixes: string[] }).prefixes[0]!.endsWith('control_1_matrix.mtx')
      ? json({ statusCode: '500', error: 'Internal', message: 'no' }, 500)
      : json([]),
  );
  await user.click(screen.getByRole('button', { name: 'Delete 3 files' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to delete these 3 files?',
  });
  expect(question).toHaveTextContent(
    'control_1_barcodes.tsv, control_1_matrix.mtx, Atlas.h5ad are permanently deleted',
  );
  expect(question).toHaveTextContent(
    'and so is the dataset built from Atlas.h5ad. Their running jobs are canceled.',
  );
  await user.click(within(question).getByRole('button', { name: 'Delete 3 files' }));
  expect(await screen.findByText('2 files deleted successfully')).toBeVisible();
  expect(screen.getByText('Failed to delete 1 file: control_1_matrix.mtx')).toBeVisible();
  expect(table.map(({ file_name }) => file_name)).toEqual(['control_1_features', 'control_1_matrix']);
  expect((await fileRow('control_1_matrix')).getByRole('checkbox')).toBeChecked();
});
