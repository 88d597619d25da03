import type { QualityPlan } from '@cellfolio/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { h5adReport, testFile, testJob } from '@/testing/own-jobs.ts';
import { json } from '@/testing/fakes.ts';
import { atlas, atlasId, fileRow, matrixId, opened, row } from '../own-data.fixture.tsx';
import { keyedValue, liveThresholds, placeOf, valueAt } from './live-thresholds.ts';

const edges = Array.from({ length: 41 }, (_, edge) => 100 * 1.1 ** edge);
const evenly = (cells: number) => {
  const bins = Array.from(
    { length: 40 },
    (_, bin) => Math.floor((cells * (bin + 1)) / 40) - Math.floor((cells * bin) / 40),
  );
  return { counts: bins, genes: bins, mitochondrial: bins };
};
const none = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
const removed = { all: 250, noCounts: 0, counts: 200, genes: 180, mitochondrial: 50, several: 180 };
const spread = { median: Math.log(1000), deviation: 0.2 };
const group = {
  pooled: false,
  spreads: { counts: spread, genes: spread, mitochondrial: { median: 0.03, deviation: 0.01 } },
  thresholds: {
    minimumCounts: 228,
    minimumGenes: 228,
    maximumMitochondrial: 0.03 + 5 * 1.4826 * 0.01 + 1e-9,
  },
  bins: evenly(9950),
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
    { ...group, sample: 'marrow', cells: 50, removed: none, bins: evenly(50), pooled: true },
  ],
  cautions: [{ code: 'removed-cells-together', message: '200 of the 250 removed cells lie together.' }],
};

function reviewed(quality: QualityPlan) {
  return opened([atlas], {
    files: [testFile(atlasId, { report: h5adReport({ waitsFor: ['qualityControl'], quality }) })],
  });
}

async function review(quality: QualityPlan) {
  const page = reviewed(quality);
  await page.user.click(await screen.findByRole('button', { name: 'Review quality control of Atlas <b>' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review quality control' }));
  return { ...page, dialog };
}

function valueOf(dialog: ReturnType<typeof within>, name: string): string | null {
  return dialog.getByRole('slider', { name }).getAttribute('aria-valuetext');
}

function caught(dialog: ReturnType<typeof within>, name: string, at: number) {
  const line = dialog.getByRole('slider', { name });
  line.setPointerCapture = () => {};
  line.getBoundingClientRect = () => new DOMRect(100, 0, 200, 40);
  fireEvent.pointerDown(line, { clientX: 100 + 200 * at, buttons: 1 });
  return {
    move: (to: number) => fireEvent.pointerMove(line, { clientX: 100 + 200 * to, buttons: 1 }),
    release: () => fireEvent.lostPointerCapture(line),
  };
}

test('a file of raw counts waits for a review that shows who would go, and is built from there', async () => {
  const { user, fake, posted } = reviewed(plan);
  const row = await fileRow('Atlas <b>');
  expect(row.getByText(/^Waiting for you: review the cells to remove/)).toBeVisible();
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
  expect(valueOf(dialog, 'Total counts of blood')).toBe('at least 228');
  fake.answer(`/api/files/${atlasId}/build`, () => json({ job: testJob({ file_ids: [atlasId] }) }, 202));
  await user.click(dialog.getByRole('button', { name: 'Build' }));
  await waitFor(() =>
    expect(posted(`/api/files/${atlasId}/build`)).toEqual([{ columns: {}, processing: {} }]),
  );
});

test('a file that was combined as a sample no longer needs its review', async () => {
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
  expect(sample.getByText(/^Combined into another file as a sample/)).toBeVisible();
  expect(sample.getByRole('button', { name: /^Review quality control/ })).not.toHaveClass('bg-accent');
  const whole = await fileRow('All');
  expect(whole.getByText(/^Waiting for you/)).toBeVisible();
  expect(whole.getByRole('button', { name: /^Review quality control/ })).toHaveClass('bg-accent');
});

test('lines and estimates move with what is typed, and exact numbers come by themselves', async () => {
  const { user, fake, tell, posted, dialog } = await review(plan);
  const path = `/api/files/${atlasId}/inspect`;
  fake.answer(path, () => {
    const { processing } = posted(path).at(-1) as { processing: QualityPlan['choice'] };
    const report = h5adReport({
      waitsFor: ['qualityControl'],
      quality: {
        ...plan,
        choice: processing,
        removed: none,
        groups: [{ ...group, cells: 10_000, removed: none }],
        cautions: [],
      },
      choices: { columns: {}, processing },
    });
    tell({ files: [testFile(atlasId, { report })] });
    return json({ job: testJob({ kind: 'inspect', file_ids: [atlasId] }) }, 202);
  });
  const box = dialog.getByRole('spinbutton', { name: 'Minimum counts per cell' });
  fireEvent.change(box, { target: { value: '500' } });
  expect(valueOf(dialog, 'Total counts of blood')).toBe('at least 500');
  expect(dialog.getByText(/lie together/)).not.toBeVisible();
  expect(dialog.getByText(/^About [\d,]+ of 10,000 .* would be removed/)).toBeVisible();
  const soon = { timeout: 10_000 };
  expect(await dialog.findByText('None of 10,000 cells would be removed.', {}, soon)).toBeVisible();
  expect(dialog.queryByText(/lie together/)).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Update numbers' })).toBeNull();
  // Other samples have other thresholds: nothing is known of them before they were counted.
  await user.click(dialog.getByRole('combobox', { name: 'Thresholds per' }));
  await user.click(await screen.findByRole('option', { name: 'All cells together' }));
  expect(dialog.getByText('These numbers belong to the previous settings.')).toBeVisible();
  expect(await dialog.findByText('None of 10,000 cells would be removed.', {}, soon)).toBeVisible();
  expect(posted(path)).toEqual([
    { columns: {}, processing: { minimumCounts: 500 } },
    { columns: {}, processing: { minimumCounts: 500, sampleColumn: null } },
  ]);
  // Looking at it with them is no reason to keep them.
  await user.click(dialog.getByRole('button', { name: 'Undo changes' }));
  expect(box).toHaveValue(null);
});

test('exact numbers of a large matrix are requested by hand', async () => {
  const large = { ...group, cells: 60_000, sample: 'blood', removed };
  const { user, fake, posted, dialog } = await review({ ...plan, cells: 60_000, groups: [large] });
  const path = `/api/files/${atlasId}/inspect`;
  fake.answer(path, () => json({ job: testJob({ kind: 'inspect', file_ids: [atlasId] }) }, 202));
  expect(dialog.queryByRole('button', { name: 'Update numbers' })).toBeNull();
  await user.type(dialog.getByRole('spinbutton', { name: 'Minimum counts per cell' }), '500');
  await new Promise((settled) => setTimeout(settled, 900));
  expect(posted(path)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Update numbers' }));
  expect(posted(path)).toEqual([{ columns: {}, processing: { minimumCounts: 500 } }]);
});

test('a line stays where it is dragged to, its numbers follow, and nothing is requested before it is released', async () => {
  const { fake, posted, dialog } = await review(plan);
  const path = `/api/files/${atlasId}/inspect`;
  fake.answer(path, () => json({ job: testJob({ kind: 'inspect', file_ids: [atlasId] }) }, 202));
  const line = caught(dialog, 'Total counts of blood', 0.3);
  const box = dialog.getByRole('spinbutton', { name: 'Minimum counts per cell' });
  const rowText = () => dialog.getByRole('row', { name: /^blood/ }).textContent;
  const numbers = [0.5, 0.6].map((at) => {
    line.move(at);
    expect(box).toHaveValue(valueAt(plan.edges.counts, at, 'counts'));
    return rowText();
  });
  expect(numbers[0]).toMatch(/about [\d,]+ of 9,950/);
  expect(numbers[1]).not.toBe(numbers[0]);
  await new Promise((settled) => setTimeout(settled, 900));
  expect(posted(path)).toEqual([]);
  line.release();
  await waitFor(() => expect(posted(path)).toHaveLength(1), { timeout: 10_000 });
  const share = caught(dialog, 'Mitochondrial of blood', 0.25);
  share.release();
  const limit = valueAt(plan.edges.mitochondrial, 0.25, 'mitochondrial');
  expect(dialog.getByRole('spinbutton', { name: /^Maximum % mitochondrial/ })).toHaveValue(100 * limit);
});

test('numbers that come while a line is dragged wait until it is let go', async () => {
  const { fake, tell, posted, dialog } = await review({ ...plan, cautions: [] });
  const path = `/api/files/${atlasId}/inspect`;
  const answered = Promise.withResolvers<Response>();
  fake.answer(path, () => answered.promise);
  const first = caught(dialog, 'Total counts of blood', 0.3);
  first.release();
  await waitFor(() => expect(posted(path)).toHaveLength(1), { timeout: 10_000 });
  const { processing } = posted(path)[0] as { processing: QualityPlan['choice'] };
  const second = caught(dialog, 'Total counts of blood', 0.3);
  const report = h5adReport({
    waitsFor: ['qualityControl'],
    quality: { ...plan, choice: processing },
    choices: { columns: {}, processing },
  });
  tell({ files: [testFile(atlasId, { report })] });
  const lists = () => fake.requests.filter((request) => request.path === '/api/own-files').length;
  const before = lists();
  answered.resolve(json({ job: testJob({ kind: 'inspect', file_ids: [atlasId] }) }, 202));
  await waitFor(() => expect(lists()).toBeGreaterThan(before));
  await new Promise((settled) => setTimeout(settled, 100));
  expect(dialog.queryByText(/lie together/)).toBeNull();
  second.release();
  expect(await dialog.findByText(/lie together/)).toBeVisible();
});

test('a line is moved with the keys of a slider', async () => {
  const { user, dialog } = await review(plan);
  const line = dialog.getByRole('slider', { name: 'Total counts of blood' });
  expect(line).toHaveAttribute('aria-valuenow', '228');
  line.focus();
  const after = async (key: string) => {
    await user.keyboard(`{${key}}`);
    return Number(line.getAttribute('aria-valuenow'));
  };
  const up = await after('ArrowRight');
  expect(up).toBeGreaterThan(228);
  expect(await after('PageUp')).toBeGreaterThan(up + 50);
  expect(await after('Home')).toBe(0);
  expect(line).toHaveAttribute('aria-valuetext', 'no threshold');
  expect(await after('End')).toBe(valueAt(plan.edges.counts, 1, 'counts'));
  expect(dialog.getByText(/or move it with the arrow keys/)).toBeVisible();
  // Where a hundredth of the axis is less than a count, an arrow is one count.
  expect(keyedValue('ArrowRight', { edges: [1, 10, 100], value: 2, measure: 'counts' })).toBe(3);
  expect(keyedValue('ArrowLeft', { edges: [1, 10, 100], value: 1, measure: 'counts' })).toBe(0);
  expect(keyedValue('End', { edges: [0, 0.1, 0.2], value: 0.1, measure: 'mitochondrial' })).toBe(1);
  expect(keyedValue('a', { edges: [1, 100], value: 2, measure: 'counts' })).toBeUndefined();
});

test('more than half of the cells of a sample is a warning with the figure; all of all samples are not built', async () => {
  const { user, dialog } = await review(plan);
  const box = dialog.getByRole('spinbutton', { name: 'Minimum counts per cell' });
  await user.type(box, '3000');
  expect(
    dialog.getByText(/^More than half of the cells would be removed: about [\d,]+ of 10,000 \(\d/),
  ).toBeVisible();
  expect(dialog.getByRole('row', { name: /^blood/ })).toHaveTextContent(/More than half\./);
  expect(dialog.getByRole('button', { name: 'Build' })).toBeEnabled();
  await user.clear(box);
  await user.type(box, '100000');
  expect(dialog.getByText(/^All 10,000 cells would be removed, so there is nothing to build/)).toBeVisible();
  expect(dialog.getByText('Quality control would remove all cells. Loosen its thresholds.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Build' })).toBeDisabled();
});

test('the dialog says which median absolute deviations it means', async () => {
  const { user, dialog } = await review(plan);
  expect(dialog.getByText(/1\.4826 × MAD of log counts and log genes: 5 here = nmads 7\.4/)).toBeVisible();
  await user.type(dialog.getByRole('spinbutton', { name: 'Outlier limit' }), '3');
  expect(dialog.getByText(/3 here = nmads 4\.4/)).toBeVisible();
});

test('a place in a plot and its value are one another', () => {
  const edges = [10, 100, 1000];
  expect(valueAt(edges, 0.5, 'counts')).toBe(100);
  expect(placeOf(edges, valueAt(edges, 0.3, 'counts'), 'counts')).toBeCloseTo(0.3, 2);
  expect(valueAt(edges, 0, 'counts')).toBe(0);
  expect(valueAt([0, 0.5, 1], 0.081, 'mitochondrial')).toBe(0.081);
});

test('without mitochondrial genes no such filter is shown, and the dialog says so', async () => {
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

test('for called cells the boxes for counts and genes show that none is the default, and no deviations are shown', async () => {
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
  for (const name of ['Minimum counts per cell', 'Minimum genes per cell'])
    expect(dialog.getByRole('spinbutton', { name })).toHaveAttribute('placeholder', 'None');
  expect(
    dialog.getByText(/Called cells are not filtered by counts or genes unless you set a minimum\./),
  ).toBeVisible();
  expect(dialog.queryByText(/median absolute deviations from the median of/)).toBeNull();
  for (const measure of ['Total counts', 'Genes'])
    expect(valueOf(dialog, `${measure} of blood`)).toBe('no threshold');
  expect(dialog.queryByText('at least 0')).toBeNull();
  await user.type(dialog.getByRole('spinbutton', { name: 'Minimum counts per cell' }), '500');
  expect(valueOf(dialog, 'Total counts of blood')).toBe('at least 500');
});
