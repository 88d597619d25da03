import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  endedJob,
  h5adReport,
  processedRecord,
  tableReport,
  testDataset,
  testFile,
  testId,
  testJob,
  testOwnFiles,
} from '@/testing/own-jobs.ts';
import { json } from '@/testing/fakes.ts';
import {
  atlas,
  atlasId,
  barcodesId,
  featuresId,
  fileRow,
  inspected,
  matrixId,
  opened,
  row,
  trio,
} from './own-data.fixture.tsx';

test('each file says what it was found to be, and all of it on request', async () => {
  const { user } = opened(
    [...trio, atlas, row(testId(5), 'Bad', 'bad.tsv'), row(testId(6), 'New', 'new.tsv')],
    {
      files: [
        ...inspected,
        testFile(atlasId, { report: h5adReport() }),
        testFile(testId(5), { problem: { code: 'binary', message: 'bad.tsv is not text. Choose another.' } }),
        testFile(testId(6)),
      ],
    },
  );
  const counts = await fileRow('Counts');
  expect(await counts.findByText('.mtx 1,000 × 10,000, 691,914 entries')).toBeVisible();
  expect((await fileRow('Cells')).getByText('Barcodes · 10,000 lines')).toBeVisible();
  expect((await fileRow('Bad')).getByText('bad.tsv is not text. Choose another.')).toBeVisible();
  expect((await fileRow('New')).getByText('Inspecting…')).toBeVisible();
  expect((await fileRow('New')).queryByRole('button', { name: 'Details of New' })).toBeNull();
  const h5ad = await fileRow('Atlas <b>');
  expect(h5ad.getByText(/clusters and UMAP will be computed/)).toHaveTextContent('1 warning');
  await user.click(h5ad.getByRole('button', { name: 'Details of Atlas <b>' }));
  expect(h5ad.getByText('leiden (found by its name)')).toBeVisible();
  expect(h5ad.getByText('Sample, <i>Batch</i>')).toBeVisible();
  expect(h5ad.getByText('1 gene has a symbol that an earlier gene has too.')).toBeVisible();
  expect(h5ad.getByText('uns was not taken over.')).toBeVisible();
  expect(screen.getByText('9.22 KB of 200 GB used')).toBeVisible();
});

test('three that fit are converted, the notice reports it, and the new file appears in the list', async () => {
  const { user, fake, table, tell, posted } = opened([...trio], { files: inspected });
  for (const name of ['Counts', 'Cells', 'Genes']) {
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  }
  const job = testJob({
    kind: 'convert',
    name: 'matrix.h5ad',
    file_ids: [matrixId, barcodesId, featuresId],
    stage: 'Reading counts',
  });
  fake.answer('/api/convert', () => {
    tell({ jobs: [job] });
    return json({ job }, 202);
  });
  await user.click(screen.getByRole('button', { name: 'Convert to H5AD' }));
  expect(await screen.findByText('Conversion Started')).toBeVisible();
  expect(screen.getByText('Converting matrix.mtx with 2 metadata files to H5AD format')).toBeVisible();
  expect(posted('/api/convert')).toEqual([
    { file_ids: [matrixId, barcodesId, featuresId], file_name: 'Counts' },
  ]);
  expect(screen.getByRole('checkbox', { name: 'Select Counts' })).not.toBeChecked();
  expect(document.body).not.toHaveFocus();
  expect((await fileRow('Counts')).getByText('Converting: Reading counts')).toBeVisible();
  const bars = screen.getAllByRole('progressbar', { name: 'Progress of: Conversion to matrix.h5ad' });
  expect(bars[0]).toHaveAttribute('aria-valuenow', '40');

  table.unshift(row(testId(7), 'matrix', 'matrix.h5ad'));
  tell({
    files: [testFile(testId(7)), ...inspected],
    jobs: [
      endedJob('done', { ...job, state: 'done', finished_at: job.created_at, result_file_id: testId(7) }),
    ],
  });
  expect(await screen.findByRole('checkbox', { name: 'Select matrix' })).toBeVisible();
  expect(await screen.findByText('Conversion to matrix.h5ad: done.')).toBeInTheDocument();
});

test('the converted file has the name that its owner gives it, which none can be', async () => {
  const { user, fake, posted } = opened([...trio], { files: inspected });
  for (const name of ['Counts', 'Cells', 'Genes']) {
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  }
  fake.answer('/api/convert', () => json({ job: testJob({ kind: 'convert' }) }, 202));
  const field = screen.getByRole('textbox', { name: 'Name of the new file' });
  expect(field).toHaveValue('Counts');
  expect(field).toHaveAttribute('maxlength', '100');
  await user.clear(field);
  await user.type(field, ' .h5ad{Enter}');
  expect(screen.getByText('Give the new file a name.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convert to H5AD' })).toBeDisabled();
  await user.clear(field);
  await user.type(field, ' Tumour of donor 3 {Enter}');
  expect(await screen.findByText('Conversion Started')).toBeVisible();
  expect(posted('/api/convert')).toMatchObject([{ file_name: 'Tumour of donor 3' }]);
});

test('three that do not fit are reported with their counts before any click', async () => {
  const { user } = opened([...trio, atlas], {
    files: [...inspected.slice(0, 2), testFile(featuresId, { report: tableReport('features', 997) })],
  });
  expect(await screen.findByText('Features · 997 lines')).toBeVisible();
  for (const name of ['Counts', 'Cells', 'Genes']) {
    await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  }
  expect(screen.getByText(/matrix.mtx is 1,000 × 10,000, but .* features.tsv has 997 lines/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convert to H5AD' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'Select Atlas <b>' }));
  expect(screen.queryByRole('button', { name: 'Convert to H5AD' })).toBeNull();
});

test('a refusal of the server is shown in its words, and the choice stays', async () => {
  const { user, fake } = opened([...trio], { files: inspected });
  for (const name of ['Counts', 'Cells', 'Genes']) {
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  }
  fake.answer('/api/convert', () =>
    json({ code: 'already_converting', message: 'Counts is being converted.' }, 409),
  );
  await user.click(screen.getByRole('button', { name: 'Convert to H5AD' }));
  expect(await screen.findByText('Counts is being converted.')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select Genes' })).toBeChecked();
});

test('other plans convert and rebuild nothing, and still see what is known', async () => {
  const { user } = opened(
    [...trio, atlas],
    { files: [...inspected, testFile(atlasId, { report: h5adReport(), dataset: testDataset() })] },
    'Standard',
  );
  await screen.findByRole('button', { name: 'Professional Plan Required to Upload Custom Data' });
  for (const name of ['Counts', 'Cells', 'Genes']) {
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  }
  expect(screen.getByText('Conversion is part of the Professional plan.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convert to H5AD' })).toBeDisabled();
  expect(screen.getByRole('link', { name: 'Explore Atlas <b>' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Process Again of Atlas <b>' }));
  expect(await screen.findByRole('button', { name: 'Process Again' })).toBeDisabled();
});

test('a dataset that is ready is explored; the page shows what was computed of it', async () => {
  const { user, address } = opened([atlas], {
    files: [
      testFile(atlasId, { report: h5adReport(), dataset: testDataset({ processed: processedRecord }) }),
    ],
  });
  expect(
    await screen.findByText('Dataset ready · 9,871 of 10,000 cells kept · 14 clusters and UMAP computed'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Process Again of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Process Again' }));
  expect(dialog.getByText('9,871 of 10,000')).toBeVisible();
  expect(dialog.getByText('513 counts, 201 genes, at most 12.3 % mitochondrial')).toBeVisible();
  expect(dialog.getByText('14 at resolution 1')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('link', { name: 'Explore Atlas <b>' }));
  await waitFor(() =>
    expect(address()).toContain(`/explorer?customFileId=${atlasId}&customFileName=Atlas+%3Cb%3E`),
  );
});

test('what the build of a dataset warned of is counted, and read in Details', async () => {
  const lost = 'Doublets can hardly be told in T1: most of its doublets are still there.';
  const report = h5adReport({
    warnings: [{ code: 'repeated-symbols', message: 'One symbol is there twice.' }],
  });
  const dataset = testDataset({ warnings: ['One symbol is there twice.', lost] });
  const { user } = opened([atlas], { files: [testFile(atlasId, { report, dataset })] });
  expect(await screen.findByText(/· 2 warnings/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Details/ }));
  expect(await screen.findByText(lost)).toBeVisible();
  expect(screen.getAllByText('One symbol is there twice.')).toHaveLength(1);
});

test('before the build Details says what will be computed, and after it what was and who was removed', async () => {
  const report = h5adReport();
  const thresholds = { minimumCounts: 512.3, minimumGenes: 201 };
  const removed = { all: 97, noCounts: 0, counts: 90, genes: 80, mitochondrial: 0, several: 73 };
  const processed = {
    ...processedRecord,
    cellsBefore: 1492,
    cellsKept: 1395,
    droplets: {
      barcodes: 21_474,
      emptyUpTo: 100,
      empty: 19_747,
      detected: true,
      keep: 'called' as const,
      cells: 1492,
      knee: 1739,
      falseDiscoveryRate: 0.001,
    },
    quality: {
      deviations: 5,
      sampleColumn: 'donor',
      mitochondrialGenes: 13,
      ribosomalGenes: 0,
      haemoglobinGenes: 0,
      removed,
      groups: ['<b>d1</b>', 'd2'].map((sample, at) => ({
        sample,
        cells: 746,
        removed: { ...removed, all: at === 0 ? 97 : 0 },
        thresholds,
        pooled: false,
      })),
      cautions: [{ code: 'removed-cells-together', message: '90 of the 97 removed cells lie together.' }],
    },
  };
  const { user, tell } = opened([atlas], {
    files: [testFile(atlasId, { report })],
    jobs: [testJob({ kind: 'inspect' })],
  });
  const file = await fileRow('Atlas <b>');
  await user.click(await file.findByRole('button', { name: 'Details of Atlas <b>' }));
  expect(file.getByText(/will be computed from the raw counts/)).toBeVisible();
  expect(file.getByText('clusters and UMAP, from the cells that pass quality control')).toBeVisible();
  expect(file.getByText('none (the file holds no embedding)')).toBeVisible();
  tell({ files: [testFile(atlasId, { report, dataset: testDataset({ processed }) })] });
  expect(
    await file.findByText(/1,492 cells called of 21,474 barcodes, 1,395 kept · 14 clusters/),
  ).toBeVisible();
  expect(file.queryByText(/will be computed|that pass quality control/)).toBeNull();
  expect(file.queryByText(/the file holds no embedding/)).toBeNull();
  expect(file.getByText('computed here')).toBeVisible();
  expect(file.getByText(/^1,492 of 21,474 called cells \(EmptyDrops/)).toBeVisible();
  expect(file.getByText('97 removed: 90 by counts, 80 by genes; 73 by more than one')).toBeVisible();
  expect(
    file.getByText('<b>d1</b>: 649 of 746 pass quality control, need 513 counts, 201 genes'),
  ).toBeVisible();
  expect(file.getByText('90 of the 97 removed cells lie together.')).toBeVisible();
  // What holds before and after stays.
  expect(file.getByText('uns was not taken over.')).toBeVisible();
});

test('a file whose values can be on several scales waits for an answer, which builds it', async () => {
  const report = h5adReport({
    hasCounts: false,
    waitsFor: ['expression'],
    willCompute: [],
    scale: {
      read: 'unknown',
      stored: 'unknown',
      basis: 'range',
      why: 'Read as ln(1 + x), the totals differ by 80 %.',
    },
    proteins: '4 proteins are kept as a second modality (<b>CD3</b>, …).',
    otherFeatures: [{ type: 'Guides <b>', count: 1100, examples: ['CD3', 'CD4'] }],
  });
  const { user, fake, tell, posted } = opened([atlas], { files: [testFile(atlasId, { report })] });
  const file = await fileRow('Atlas <b>');
  expect(await file.findByText('Question: what are its values?')).toBeVisible();
  await user.click(file.getByRole('button', { name: 'Details of Atlas <b>' }));
  expect(file.getByText('Not known. Read as ln(1 + x), the totals differ by 80 %.')).toBeVisible();
  expect(file.getByText('4 proteins are kept as a second modality (<b>CD3</b>, …).')).toBeVisible();
  expect(file.getByText('1,100 Guides <b> (CD3, CD4): left in the file')).toBeVisible();
  await user.click(file.getByRole('button', { name: 'Answer' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns and settings' }));
  const field = dialog.getByRole('combobox', { name: 'What do the values hold?' });
  expect(field).toHaveAccessibleDescription(/totals differ by 80 %.*|The file does not say/);
  expect(dialog.getByRole('button', { name: 'Build' })).toBeDisabled();
  await user.click(field);
  expect(screen.queryByRole('option', { name: /Automatic/ })).toBeNull();
  expect(screen.queryByRole('option', { name: 'Raw counts of the file' })).toBeNull();
  expect(
    screen.getByRole('option', { name: 'Counts, also corrected, expected or downsampled' }),
  ).toBeVisible();
  await user.click(await screen.findByRole('option', { name: 'Logarithms to base 2, log2(1 + x)' }));
  const job = testJob({ kind: 'build', file_ids: [atlasId] });
  fake.answer(`/api/files/${atlasId}/build`, () => {
    tell({ jobs: [job] });
    return json({ job }, 202);
  });
  await user.click(dialog.getByRole('button', { name: 'Build' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(posted(`/api/files/${atlasId}/build`)).toEqual([
    { columns: { expression: 'log2' }, processing: {} },
  ]);
});

test('values that are no logarithms lead to a question without them, with the evidence for each answer', async () => {
  const why = 'For counts, corrected or expected: 7,199 of 7,200 values looked at are whole.';
  const report = h5adReport({
    hasCounts: false,
    waitsFor: ['expression'],
    willCompute: [],
    scale: { read: 'unknown', stored: 'unknown', basis: 'range', why, open: ['counts', 'linear'] },
  });
  const { user } = opened([atlas], { files: [testFile(atlasId, { report })] });
  const file = await fileRow('Atlas <b>');
  await user.click(await file.findByRole('button', { name: 'Answer' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns and settings' }));
  const field = dialog.getByRole('combobox', { name: 'What do the values hold?' });
  expect(dialog.getByText(why)).toBeVisible();
  await user.click(field);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Counts, also corrected, expected or downsampled',
    'Normalized, not logarithmic',
  ]);
});

test('where a layer is not used as counts, the owner can declare that its values are counts', async () => {
  const message = 'layers/counts is not used as raw counts: 5 of 9 values looked at have fractions.';
  const report = h5adReport({
    hasCounts: false,
    willCompute: [],
    scale: { read: 'log1p', stored: 'log1p', basis: 'totals', why: 'Equal totals.' },
    warnings: [{ code: 'no-counts', message }],
  });
  const { user } = opened([atlas], { files: [testFile(atlasId, { report })] });
  const file = await fileRow('Atlas <b>');
  await user.click(await file.findByRole('button', { name: 'Columns and settings of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns and settings' }));
  expect(
    dialog.getByText(/nothing can be computed from it; it is shown as it is\. layers\/counts is not used/),
  ).toBeVisible();
  await user.click(dialog.getByRole('combobox', { name: 'What do the values hold?' }));
  expect(
    screen.getByRole('option', { name: 'Counts, also corrected, expected or downsampled' }),
  ).toBeVisible();
});

test('a table that does not show where its genes are leads to a question, and is inspected again by the answer', async () => {
  const report = h5adReport({ waitsFor: ['genesIn'], genesIn: 'rows' });
  const { user, fake, tell, posted } = opened([atlas], { files: [testFile(atlasId, { report })] });
  const file = await fileRow('Atlas <b>');
  expect(await file.findByText('Question: where are the genes of this table?')).toBeVisible();
  const job = testJob({ kind: 'inspect', file_ids: [atlasId] });
  fake.answer(`/api/files/${atlasId}/inspect`, () => {
    tell({ jobs: [job], files: [testFile(atlasId, { report })] });
    return json({ job }, 202);
  });
  await user.click(file.getByRole('button', { name: 'In columns' }));
  expect(await file.findByText('Inspecting…')).toBeVisible();
  expect(posted(`/api/files/${atlasId}/inspect`)).toEqual([{ columns: { genesIn: 'columns' } }]);
});

test('columns and settings are chosen, kept unsent, checked, and sent', async () => {
  const { user, fake, tell, posted } = opened([atlas], {
    files: [
      testFile(atlasId, {
        report: h5adReport(),
        dataset: testDataset({ columns: { patient: 'donor' }, processing: { neighbours: 20 } }),
      }),
    ],
  });
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Process Again of Atlas <b>' }));
    return within(await screen.findByRole('dialog', { name: 'Process Again' }));
  };
  let dialog = await open();
  expect(dialog.getByRole('combobox', { name: 'Patient' })).toHaveTextContent('donor');
  expect(dialog.getByRole('combobox', { name: 'Embedding' })).toBeDisabled();
  expect(dialog.getByRole('spinbutton', { name: 'Resolution' })).toHaveAttribute('placeholder', '1');
  expect(dialog.getByRole('spinbutton', { name: 'Neighbors' })).toHaveValue(20);
  const mitochondrial = () => dialog.queryByRole('spinbutton', { name: 'Maximum % mitochondrial' });
  await user.type(mitochondrial()!, '2000');
  expect(dialog.getByRole('button', { name: 'Process Again' })).toBeDisabled();
  await user.click(dialog.getByRole('combobox', { name: 'Cell type' }));
  // A column of this name is not the choice of that name.
  await user.click(await screen.findByRole('option', { name: 'automatic' }));
  // Cells that somebody chose before are not judged again, whatever was typed for it.
  expect(mitochondrial()).toBeNull();
  expect(dialog.getByText(/^All cells are kept/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Process Again' })).toBeEnabled();
  await user.type(dialog.getByRole('spinbutton', { name: 'Resolution' }), '50');
  expect(dialog.getByText('A number from 0.01 to 20.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Process Again' })).toBeDisabled();
  await user.keyboard('{Escape}');

  dialog = await open();
  expect(dialog.getByText(/Not applied yet/)).toBeVisible();
  const resolution = dialog.getByRole('spinbutton', { name: 'Resolution' });
  expect(resolution).toHaveValue(50);
  await user.clear(resolution);
  await user.type(resolution, '0.5');
  await user.click(dialog.getByRole('radio', { name: 'Replace this dataset' }));
  const path = `/api/files/${atlasId}/build`;
  fake.answer(path, () => json({ code: 'no_room', message: 'There is no room for it.' }, 409));
  await user.click(dialog.getByRole('button', { name: 'Process Again' }));
  expect(await dialog.findByText('There is no room for it.')).toBeVisible();
  fake.answer(path, () => {
    tell({ jobs: [testJob({ file_ids: [atlasId] })] });
    return json({ job: testJob({ file_ids: [atlasId] }) }, 202);
  });
  await user.click(dialog.getByRole('button', { name: 'Process Again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(posted(path).at(-1)).toEqual({
    columns: { cellType: 'automatic', patient: 'donor' },
    processing: { neighbours: 20, resolution: 0.5 },
  });
  expect((await fileRow('Atlas <b>')).getByText('Building its dataset: Finding neighbors')).toBeVisible();
  expect((await open()).queryByText(/Not applied yet/)).toBeNull();
});

describe('processing again', () => {
  const file = testFile(atlasId, {
    report: h5adReport(),
    dataset: testDataset({ processing: { resolution: 1 } }),
  });
  const path = `/api/files/${atlasId}/build`;

  async function processAgain(own: Parameters<typeof opened>[1]) {
    const page = opened([atlas], own);
    page.fake.answer(path, () => json({ job: testJob({ kind: 'copy', file_ids: [atlasId] }) }, 202));
    await page.user.click(await screen.findByRole('button', { name: 'Process Again of Atlas <b>' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Process Again' }));
    const resolution = dialog.getByRole('spinbutton', { name: 'Resolution' });
    await page.user.clear(resolution);
    await page.user.type(resolution, '0.6');
    return { ...page, dialog };
  }

  test('keeps the present dataset unless the user declines, and reports the room that takes', async () => {
    const { user, dialog, posted } = await processAgain({ files: [file], quota_bytes: 200e9 });
    expect(dialog.getByRole('radio', { name: 'Keep it and build a second dataset' })).toBeChecked();
    expect(dialog.getByText(/A copy of the file needs 1\.54 KB; 200 GB of 200 GB are free\.$/)).toBeVisible();
    const suggested = 'Atlas <b> (resolution 0.6)';
    expect(dialog.getByLabelText('Name of the new dataset')).toHaveAttribute('placeholder', suggested);
    await user.click(dialog.getByRole('button', { name: 'Process Again' }));
    expect(await screen.findByText('New Dataset Started')).toBeInTheDocument();
    expect(posted(path)).toEqual([
      { columns: {}, processing: { resolution: 0.6 }, beside: { name: suggested } },
    ]);
  });

  test('replaces it where there is no room for a copy, and says so before', async () => {
    const { user, dialog, posted } = await processAgain({ files: [file], quota_bytes: 2000 });
    expect(dialog.getByRole('radio', { name: 'Keep it and build a second dataset' })).toBeDisabled();
    expect(
      dialog.getByText(
        /^Not enough storage\. A copy of the file needs 1\.54 KB; 464 Bytes of 2 KB are free\. Delete/,
      ),
    ).toBeVisible();
    expect(dialog.getByRole('radio', { name: 'Replace this dataset' })).toBeChecked();
    await user.click(dialog.getByRole('button', { name: 'Process Again' }));
    await waitFor(() => expect(posted(path)).toEqual([{ columns: {}, processing: { resolution: 0.6 } }]));
  });
});

test('settings are those of the newest version, whatever was typed and kept for one before', async () => {
  const builtFile = (version: string, resolution: number) =>
    testFile(atlasId, {
      report: h5adReport(),
      dataset: testDataset({ version, processing: { resolution } }),
    });
  const { user, client, tell } = opened([atlas], { files: [builtFile('v1', 1)] });
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Process Again of Atlas <b>' }));
    return within(await screen.findByRole('dialog', { name: 'Process Again' }));
  };
  const resolution = () => screen.getByRole('spinbutton', { name: 'Resolution' });
  await open();
  await user.clear(resolution());
  await user.type(resolution(), '3');
  await user.keyboard('{Escape}');
  await open();
  expect(resolution()).toHaveValue(3);
  await user.keyboard('{Escape}');

  // Another tab built it.
  tell({ files: [builtFile('v2', 2)] });
  await client.invalidateQueries();
  await waitFor(async () => {
    const dialog = await open();
    const value = resolution();
    const isKept = dialog.queryByText(/Not applied yet/) !== null;
    await user.keyboard('{Escape}');
    expect(value).toHaveValue(2);
    expect(isKept).toBe(false);
  });
});

test('jobs are listed with how far they are and what they wrote, cancelled, and begun again', async () => {
  const choices = { columns: { cluster: 'louvain' }, processing: {} };
  const running = testJob({ file_ids: [atlasId] });
  const { user, fake, tell, posted } = opened([atlas], {
    files: [
      testFile(atlasId, { report: h5adReport(), dataset: testDataset({ state: 'building', ...choices }) }),
    ],
    jobs: [
      running,
      ...Array.from({ length: 7 }, (_, at) =>
        endedJob('done', { id: testId(at), kind: 'inspect', name: `file ${at}` }),
      ),
    ],
  });
  const jobs = within(await screen.findByRole('list', { name: 'Jobs' }));
  expect(jobs.getByText('Finding neighbors')).toBeVisible();
  expect(jobs.queryByText('Inspection of file 6')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all 7 finished' }));
  expect(jobs.getByText('Inspection of file 6')).toBeVisible();
  const log = () => jobs.getByRole('button', { name: 'Log of: Dataset of atlas.h5ad' });
  expect(log()).toHaveAttribute('aria-expanded', 'false');
  const row = within(log().closest('li')!);
  expect(row.getByTitle('Read 10,000 cells.')).toBeVisible();
  await user.click(log());
  expect(row.queryByTitle('Read 10,000 cells.')).toBeNull();
  expect(row.getByText('Read 10,000 cells.')).toBeVisible();

  const cancelled = endedJob('cancelled', { file_ids: [atlasId] });
  fake.answer(`/api/jobs/${running.id}/cancel`, () => {
    tell({ jobs: [cancelled] });
    return json({ job: cancelled });
  });
  await user.click(jobs.getByRole('button', { name: 'Cancel: Dataset of atlas.h5ad' }));
  expect(await jobs.findByText('Canceled')).toBeVisible();
  expect(jobs.getByRole('button', { name: 'Log of: Dataset of atlas.h5ad' })).toHaveFocus();
  expect(screen.getByText('Dataset of atlas.h5ad: canceled.')).toBeInTheDocument();
  fake.answer(`/api/files/${atlasId}/build`, () => json({ job: running }, 202));
  await user.click(jobs.getByRole('button', { name: 'Start again: Dataset of atlas.h5ad' }));
  await waitFor(() => expect(posted(`/api/files/${atlasId}/build`)).toEqual([choices]));
});

test('an unreachable server leaves the earlier state on the page, which says so and retries on request', async () => {
  const { user, fake } = opened([...trio], { files: inspected, jobs: [testJob({ kind: 'inspect' })] });
  expect(await screen.findByText('Barcodes · 10,000 lines')).toBeVisible();
  fake.answer('/api/own-files', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(
    await screen.findByText(/The server does not answer. The status shown may be out of date/),
  ).toBeVisible();
  expect(screen.getByText('Barcodes · 10,000 lines')).toBeVisible();
  fake.answer('/api/own-files', () => json(testOwnFiles({ files: inspected })));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(/The server does not answer/)).toBeNull());
});
