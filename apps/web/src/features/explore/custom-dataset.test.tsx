import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { imageFileName } from '@/features/images/index.ts';
import {
  endedJob,
  h5adReport,
  processedRecord,
  testDataset,
  testFile,
  testId,
  testJob,
  testOwnFiles,
} from '@/testing/own-jobs.ts';
import { datasetAnalysis, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, paths } from './explorer.fixture.ts';

const id = 'c0ffee00-1234-4567-89ab-000000000000';
const here = `/explorer?customFileId=${id}&customFileName=My+cells`;
const opening = `/api/dataset_analysis/custom%3A${id}`;
const jobId = testId(900);

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
  fake.answer('/api/render-figure', () => new Response(new Blob(['png'], { type: 'image/png' })));
});

const ready = (overrides = {}) =>
  fake.answer(opening, () => json(datasetAnalysis({ dataset_filename: `custom:${id}`, ...overrides })));
const notReady = (state: string, more: object = {}) =>
  fake.answer(opening, () =>
    json(
      {
        code: 'dataset_not_ready',
        message: 'Not ready.',
        details: { state, job_id: null, problem: null, ...more },
      },
      409,
    ),
  );
const search = () => screen.findByRole('combobox', { name: 'Search genes' });

test('no figure is requested of an upload that has no map to draw it on', async () => {
  ready({ warnings: [{ code: 'no-embedding', message: 'The file holds no UMAP.' }] });
  renderApp(here, fake);
  expect(await screen.findByText(/This dataset has no UMAP/)).toBeVisible();
  expect(fake.requests.some(({ path }) => path === '/api/render-figure')).toBe(false);
});

describe('an upload without a dataset', () => {
  test('shows the stage and the progress of its job, and opens by itself when it is ready', async () => {
    notReady('building', { job_id: jobId });
    let job = testJob({ id: jobId, stage: 'Finding neighbors', progress: 0.4 });
    fake.answer(`/api/jobs/${jobId}`, () => json({ job }));
    renderApp(here, fake);
    expect(await screen.findByRole('heading', { name: 'Preparing Dataset' })).toBeVisible();
    expect(screen.getByText('My cells opens here as soon as it is ready.')).toBeVisible();
    expect(await screen.findByText('Finding neighbors')).toBeVisible();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    job = { ...job, stage: 'Drawing the map', progress: 0.9 };
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Drawing the map'));
    // Only the job is asked for meanwhile: a refusal each second would fill the console of the browser.
    expect(fake.requests.filter(({ path }) => path === opening)).toHaveLength(1);
    job = endedJob('done', { id: jobId });
    ready();
    await search();
    expect(screen.queryByRole('heading', { name: 'Preparing Dataset' })).toBeNull();
  });

  test('waits for its turn where no job has taken it up, and follows one that does', async () => {
    notReady('queued');
    renderApp(here, fake);
    expect(await screen.findByText('Queued')).toBeVisible();
    expect(fake.requests.some(({ path }) => path.startsWith('/api/jobs/'))).toBe(false);
    fake.answer(`/api/jobs/${jobId}`, () => json({ job: testJob({ id: jobId, stage: 'Reading counts' }) }));
    notReady('building', { job_id: jobId });
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Reading counts'));
  });

  test('says why there will be none, and where to go, and does not poll again', async () => {
    notReady('failed', { problem: { code: 'not_hdf5', message: 'This is <b>a picture</b>.' } });
    renderApp(here, fake);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Dataset Loading Failed');
    expect(alert).toHaveTextContent('There is no dataset of My cells to explore.');
    expect(alert).toHaveTextContent('This is <b>a picture</b>.');
    expect(screen.getByRole('link', { name: 'Upload Data' })).toHaveAttribute('href', '/upload-data');
    expect(screen.getByRole('link', { name: 'Select Different Dataset' })).toHaveAttribute(
      'href',
      '/dataset-selector',
    );
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(fake.requests.filter(({ path }) => path === opening)).toHaveLength(1);
  });

  test('that waits for its owner is shown to them, and no progress bar appears', async () => {
    notReady('failed', {
      problem: { code: 'waits_for_owner', message: 'Review it on the page Upload Data.' },
    });
    renderApp(here, fake);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Waiting for Your Review');
    expect(alert).toHaveTextContent('Review it on the page Upload Data.');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  test('goes on waiting while the status of its job cannot be read', async () => {
    notReady('building', { job_id: jobId });
    fake.answer(`/api/jobs/${jobId}`, () => json({ code: 'internal_error', message: 'Boom' }, 500));
    renderApp(here, fake);
    expect(await screen.findByRole('heading', { name: 'Preparing Dataset' })).toBeVisible();
    ready();
    expect(await screen.findByRole('heading', { name: 'Explorer' })).toBeInTheDocument();
  });

  test('that is deleted or of somebody else says so', async () => {
    fake.answer(opening, () => json({ code: 'dataset_not_found', message: 'There is no dataset.' }, 404));
    renderApp(here, fake);
    expect(await screen.findByText(/may have been deleted, or it belongs to another account/)).toBeVisible();
  });
});

test('the card says what was computed of an upload, with its settings', async () => {
  ready({ processing: processedRecord });
  const { user } = renderApp(here, fake);
  await search();
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  for (const text of ['Custom Dataset', 'H5AD upload', 'My cells', 'c0ffee00']) {
    expect(card.getByText(text)).toBeVisible();
  }
  expect(card.getByRole('link', { name: 'Upload Data' })).toHaveAttribute('href', '/upload-data');
  await user.click(card.getByRole('button', { name: 'Computed from raw counts' }));
  expect(card.getByText('9,871 of 10,000')).toBeVisible();
  expect(card.getByText('14 at resolution 1')).toBeVisible();
});

test('an upload has the name of its owner, whatever the address says', async () => {
  ready();
  const file = { id, user_id: 'ada', file_name: 'Tumour of donor 3', original_filename: 'x.h5ad' };
  fake.answer('/rest/v1/user_files', () => json([file]));
  renderApp(`/explorer?customFileId=${id}`, fake);
  await search();
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  expect(await card.findByText('Tumour of donor 3')).toBeVisible();
  await waitFor(() => expect(document.title).toBe('Tumour of donor 3 · Cellfolio'));
});

test('an upload that was rebuilt while it is open is opened again, and the page goes on', async () => {
  ready({ version: '1' });
  const { user } = renderApp(here, fake);
  await user.type(await search(), 'CST3{Enter}');
  fake.answer(paths.gene, () => json({ code: 'dataset_changed', message: 'It was replaced.' }, 409));
  await user.click(screen.getByRole('button', { name: /^Visualize Selected Genes/ }));
  const reload = await screen.findByRole('button', { name: 'Reload dataset and try again' });
  ready({ version: '2', cell_count: 555 });
  await user.click(reload);
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  expect(await card.findByText('555')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Remove CST3' })).toBeVisible();
});

test('when a new version is made, nothing of it stands beside the map of the one before, and it is opened from there', async () => {
  const processing = (resolution: number) => ({ columns: {}, processing: { resolution } });
  const upload = (version: string) =>
    testFile(id, {
      report: h5adReport(),
      dataset: testDataset({
        version,
        made_with: { version, ...processing(version === '1' ? 1 : 0.6) },
        ...(version === '2' && { made_before: { version: '1', ...processing(1) } }),
      }),
    });
  let own = testOwnFiles({ files: [upload('1')], jobs: [testJob({ file_ids: [id] })] });
  ready({ version: '1' });
  fake.answer('/rest/v1/user_files', () => json([{ id, user_id: 'ada', file_name: 'My cells' }]));
  fake.answer('/api/own-files', () => json(own));
  const { user } = renderApp(here, fake);
  await search();
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  expect(await card.findByText('Building a new version: Finding neighbors')).toBeVisible();

  own = testOwnFiles({ files: [upload('2')], jobs: [endedJob('done', { file_ids: [id] })] });
  ready({ version: '2', cell_count: 555 });
  expect(
    await card.findByText(/^A new version is ready\. This page still shows the previous one/),
  ).toBeVisible();
  expect(card.queryByText('Changes since the previous version')).toBeNull();
  expect(card.queryByRole('button', { name: 'Process Again' })).toBeNull();
  expect(card.queryByText('555')).toBeNull();
  // Neither of the two places is in sight, as nothing is laid out here.
  expect(await screen.findByText('New version')).toBeInTheDocument();

  await user.click(card.getByRole('button', { name: 'Open the new version' }));
  expect(await card.findByText('555')).toBeVisible();
  expect(card.getByText('Changes since the previous version')).toBeVisible();
  expect(card.getByText(/1 → 0\.6/)).toBeVisible();
  expect(card.getByRole('button', { name: 'Process Again' })).toBeVisible();
  await waitFor(() => expect(screen.queryByText('New version')).toBeNull());
});

test('a dataset and the one that was made beside it lead to each other, and say what differs', async () => {
  const otherId = 'c0ffee00-1234-4567-89ab-000000000001';
  const made_with = (resolution: number) => ({ version: '1', columns: {}, processing: { resolution } });
  const first = testFile(id, {
    report: h5adReport(),
    dataset: testDataset({ version: '1', made_with: made_with(1) }),
  });
  const beside = testFile(otherId, {
    report: h5adReport(),
    dataset: testDataset({ version: '1', made_with: made_with(0.6) }),
    copy_of: { file_id: id, name: 'My cells', made_with: made_with(1) },
  });
  const failed = endedJob('failed', {
    kind: 'copy',
    file_ids: [id],
    name: 'My cells (resolution 2)',
    problem: { code: 'quota_exceeded', message: 'Your storage is full.' },
  });
  ready({ version: '1' });
  fake.answer(`/api/dataset_analysis/custom%3A${otherId}`, () =>
    json(datasetAnalysis({ dataset_filename: `custom:${otherId}`, version: '1' })),
  );
  const rows = [{ id, user_id: 'ada', file_name: 'My cells', file_size: 10 }];
  fake.answer('/rest/v1/user_files', () => json(rows));
  const copying = testJob({ kind: 'copy', file_ids: [id], name: 'My cells (resolution 0.6)' });
  let own = testOwnFiles({ files: [first], jobs: [copying] });
  fake.answer('/api/own-files', () => json(own));
  const { user } = renderApp(here, fake);
  await search();
  const card = () => within(screen.getByRole('region', { name: 'Current Dataset' }));
  expect(await card().findByText('Finding neighbors')).toBeVisible();
  rows.push({ ...rows[0]!, id: otherId, file_name: 'My cells (resolution 0.6)' });
  own = testOwnFiles({ files: [first, beside], jobs: [failed] });
  expect(await card().findByText('Your storage is full.')).toBeVisible();
  await user.click(await card().findByRole('link', { name: 'My cells (resolution 0.6)' }));
  await waitFor(() => expect(document.title).toBe('My cells (resolution 0.6) · Cellfolio'));
  await search();
  expect(await card().findByText(/^Processed again from/)).toBeVisible();
  expect(card().getByText('Changed from My cells')).toBeVisible();
  expect(card().getByText(/1 → 0\.6/)).toBeVisible();
  expect(card().getByRole('link', { name: 'My cells' })).toHaveAttribute(
    'href',
    `/explorer?customFileId=${id}&customFileName=My+cells`,
  );
});

test('files of its images are named by the first part of its id', () => {
  expect(imageFileName({ datasetName: `custom:${id}`, title: 'CST3', plotKind: 'umap' })).toBe(
    'Custom_Dataset_c0ffee00_CST3_UMAP.png',
  );
});
