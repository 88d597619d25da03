import type { QualityPlan } from '@cellfolio/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { h5adReport, testFile, testJob } from '@/testing/own-jobs.ts';
import { json } from '@/testing/fakes.ts';
import { atlas, atlasId, fileRow, matrixId, opened, row } from '../own-data.fixture.tsx';
import { liveThresholds, placeOf, valueAt } from './live-thresholds.ts';

const edges = Array.from({ length: 41 }, (_, edge) => 100 * 1.1 ** edge);
const bins = Array.from({ length: 40 }, (_, bin) => bin);
const none = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
const removed = { all: 250, noCounts: 0, counts: 200, genes: 180, mitochondrial: 50, several: 180 };
const spread = { median: Math.log(1000), deviation: 0.2 };
const group = {
  pooled: false,
  spreads: { counts: spread, genes: spread, mitochondrial: { median: 0.03, deviation: 0.01 } },
  thresholds: { minimumCounts: 228, minimumGenes: 228, maximumMitochondrial: 0.104 },
  bins: { counts: bins, genes: bins, mitochondrial: bins },
};
const plan: QualityPlan = {
  choice: {},
  cells: 10_000,
  sampleColumn: 'sample <b>',
  sampleColumns: ['sample <b>', 'donor'],
  mitochondrialGenes: 13,
  ribosomalGenes: 80,
  haemoglobinGenes: 0,
  removed,
  edges: { counts: edges, genes: edges, mitochondrial: edges.map((_, edge) => edge / 40) },
  groups: [
    { ...group, sample: 'blood', cells: 9950, removed },
    { ...group, sample: 'marrow', cells: 50, removed: none, pooled: true },
  ],
  cautions: [{ code: 'removed-cells-together', message: '200 of the 250 removed cells lie together.' }],
};

function reviewed(quality: QualityPlan) {
  return opened([atlas], {
    files: [testFile(atlasId, { report: h5adReport({ waitsFor: ['qualityControl'], quality }) })],
  });
}

test('a file of raw counts waits for a review that shows who would go, and is built from there', async () => {
  const { user, fake, posted } = reviewed(plan);
  const row = await fileRow('Atlas <b>');
  expect(row.getByText(/^Waiting for you: review which cells would be removed/)).toBeVisible();
  await user.click(row.getByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  expect(
    dialog.getByText(
      '250 of 10,000 (2.5 %) cells would be removed: 200 by counts, 180 by genes, 50 by mitochondrial share; 180 by more than one.',
    ),
  ).toBeVisible();
  expect(dialog.getByText('200 of the 250 removed cells lie together.')).toBeVisible();
  // What is to be reviewed comes first.
  expect(
    dialog
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
      .slice(0, 2),
  ).toEqual(['Quality control', 'Values']);
  expect(
    dialog.getByRole('row', { name: /^marrow\s*Below 100 cells: thresholds of all cells/ }),
  ).toHaveTextContent('0 of 50 (0 %)');
  expect(dialog.getByRole('img', { name: 'Total counts of blood: cells need at least 228' })).toBeVisible();
  fake.answer(`/api/files/${atlasId}/build`, () => json({ job: testJob({ file_ids: [atlasId] }) }, 202));
  await user.click(dialog.getByRole('button', { name: 'Build' }));
  await waitFor(() =>
    expect(posted(`/api/files/${atlasId}/build`)).toEqual([{ columns: {}, processing: {} }]),
  );
});

test('a file that was combined as a sample no longer asks for its review', async () => {
  const genes = { kept: 'shared', matchedBy: 'ids', shared: 10, ofAny: 10 } as const;
  const files = [{ sample: 'A', file: 'atlas.h5ad', cells: 10, genes: 10 }];
  opened([atlas, row(matrixId, 'All', 'all.h5ad')], {
    files: [
      testFile(atlasId, { report: h5adReport({ waitsFor: ['qualityControl'], quality: plan }) }),
      testFile(matrixId, {
        report: h5adReport({ waitsFor: ['qualityControl'], quality: plan }),
        combined: { genes, files },
      }),
    ],
  });
  const sample = await fileRow('Atlas <b>');
  expect(sample.getByText(/^Combined as a sample of another file/)).toBeVisible();
  expect(sample.getByRole('button', { name: /^Review quality control/ })).not.toHaveClass('bg-accent');
  const whole = await fileRow('All');
  expect(whole.getByText(/^Waiting for you/)).toBeVisible();
  expect(whole.getByRole('button', { name: /^Review quality control/ })).toHaveClass('bg-accent');
});

test('lines move with what is typed; the numbers are counted anew on request', async () => {
  const { user, fake, tell, posted } = reviewed(plan);
  await user.click(await screen.findByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  expect(dialog.queryByRole('button', { name: 'Update numbers' })).toBeNull();
  await user.type(dialog.getByRole('spinbutton', { name: 'Fewest counts of a cell' }), '500');
  expect(dialog.getByRole('img', { name: 'Total counts of blood: cells need at least 500' })).toBeVisible();
  expect(dialog.getByText(/the numbers are those of the settings before/)).toBeVisible();
  await user.click(dialog.getByRole('combobox', { name: 'Thresholds per' }));
  await user.click(await screen.findByRole('option', { name: 'All cells together' }));

  const processing = { minimumCounts: 500, sampleColumn: null };
  const path = `/api/files/${atlasId}/inspect`;
  const { sampleColumn: _, ...pooled } = plan;
  fake.answer(path, () => {
    const quality = {
      ...pooled,
      choice: processing,
      removed: none,
      groups: [{ ...group, cells: 10_000, removed: none }],
    };
    const report = h5adReport({
      waitsFor: ['qualityControl'],
      quality: { ...quality, cautions: [] },
      choices: { columns: {}, processing },
    });
    tell({ files: [testFile(atlasId, { report })] });
    return json({ job: testJob({ kind: 'inspect', file_ids: [atlasId] }) }, 202);
  });
  await user.click(dialog.getByRole('button', { name: 'Update numbers' }));
  expect(posted(path)).toEqual([{ columns: {}, processing }]);
  expect(await dialog.findByText('None of 10,000 cells would be removed.')).toBeVisible();
  expect(dialog.queryByText('200 of the 250 removed cells lie together.')).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Update numbers' })).toBeNull();
});

test('a line that is dragged is a threshold that is typed', async () => {
  const { user } = reviewed(plan);
  await user.click(await screen.findByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  const drag = (measure: string, at: number) => {
    const plot = dialog.getByRole('img', { name: new RegExp(`^${measure} of blood`) });
    plot.setPointerCapture = () => {};
    plot.getBoundingClientRect = () => new DOMRect(100, 0, 200, 40);
    fireEvent.pointerDown(plot, { clientX: 100 + 200 * at, buttons: 1 });
  };
  drag('Total counts', 0.5);
  const counts = valueAt(plan.edges.counts, 0.5, 'counts');
  expect(dialog.getByRole('spinbutton', { name: 'Fewest counts of a cell' })).toHaveValue(counts);
  drag('Mitochondrial', 0.25);
  const share = valueAt(plan.edges.mitochondrial, 0.25, 'mitochondrial');
  expect(dialog.getByRole('spinbutton', { name: /^Most mitochondrial counts/ })).toHaveValue(100 * share);
});

test('a place in a plot and its value are one another', () => {
  const edges = [10, 100, 1000];
  expect(valueAt(edges, 0.5, 'counts')).toBe(100);
  expect(placeOf(edges, valueAt(edges, 0.3, 'counts'), 'counts')).toBeCloseTo(0.3, 2);
  expect(valueAt(edges, 0, 'counts')).toBe(0);
  expect(valueAt([0, 0.5, 1], 0.081, 'mitochondrial')).toBe(0.081);
});

test('without mitochondrial genes no such filter is shown, and that is said', async () => {
  const { user } = reviewed({ ...plan, mitochondrialGenes: 0, cautions: [] });
  await user.click(await screen.findByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  expect(dialog.getByText(/No mitochondrial genes were found, so there is no filter/)).toBeVisible();
  expect(dialog.queryByRole('columnheader', { name: 'Mitochondrial' })).toBeNull();
});

test('thresholds are medians with deviations unless they are typed, as the server draws them', () => {
  const lowest = Math.ceil(1000 * Math.exp(-5 * 1.4826 * 0.2) * (1 - 1e-9));
  expect(liveThresholds(group, {})).toMatchObject({ minimumCounts: lowest, minimumGenes: lowest });
  expect(liveThresholds(group, {}).maximumMitochondrial).toBeCloseTo(0.03 + 5 * 1.4826 * 0.01, 8);
  expect(liveThresholds(group, { deviations: 1 }).maximumMitochondrial).toBe(0.08);
  expect(liveThresholds(group, { minimumGenes: 7, maximumMitochondrial: 0.5 })).toMatchObject({
    minimumGenes: 7,
    maximumMitochondrial: 0.5,
  });
});

test('of called cells the boxes for counts and genes say that none is the default, and no deviations are told', async () => {
  const droplets: QualityPlan['droplets'] = {
    barcodes: 20_000,
    emptyUpTo: 100,
    empty: 9000,
    detected: true,
    keep: 'called',
    cells: 10_000,
    curve: [],
  };
  const { user } = reviewed({ ...plan, droplets, mitochondrialGenes: 0, cautions: [] });
  await user.click(await screen.findByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  for (const name of ['Fewest counts of a cell', 'Fewest genes of a cell'])
    expect(dialog.getByRole('spinbutton', { name })).toHaveAttribute('placeholder', 'None');
  expect(
    dialog.getByText(/Called cells are not filtered by counts or genes unless you set a minimum\./),
  ).toBeVisible();
  expect(dialog.queryByText(/median absolute deviations from the median of/)).toBeNull();
  for (const measure of ['Total counts', 'Genes'])
    expect(dialog.getByRole('img', { name: `${measure} of blood: no threshold` })).toBeVisible();
  expect(dialog.queryByText('at least 0')).toBeNull();
  await user.type(dialog.getByRole('spinbutton', { name: 'Fewest counts of a cell' }), '500');
  expect(dialog.getByRole('img', { name: 'Total counts of blood: cells need at least 500' })).toBeVisible();
});
