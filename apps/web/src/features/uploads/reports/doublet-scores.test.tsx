import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { countAbove, DoubletScores } from './doublet-scores.tsx';

const bins = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: 50 }, (_, bin) => counts[bin] ?? 0);

const histogram = {
  observed: bins({ 2: 80, 5: 15, 10: 4, 17: 1 }),
  simulated: bins({ 2: 60, 5: 80, 10: 50, 17: 10 }),
};
const doublets = {
  action: 'removed' as const,
  called: 1,
  groups: [
    { sample: 'A', cells: 100, threshold: 0.343, called: 1, detectable: 0.05, histogram },
    { sample: 'B', cells: 100, called: 0, histogram },
    { sample: 'C', cells: 30, called: 0, skipped: 'few-cells' as const },
  ],
};
const row = (name: string) => within(screen.getByRole('rowheader', { name }).closest('tr')!);

test('each sample shows its scores, its threshold, and what is above', () => {
  render(<DoubletScores doublets={doublets} />);
  expect(row('A').getByRole('img', { name: 'Scores of cells of A: 1 of 100 above 0.343' })).toBeVisible();
  expect(
    row('A').getByRole('img', { name: 'Scores of simulated doublets of A: 5 % above 0.343' }),
  ).toBeVisible();
  expect(row('A').getByText('automatic')).toBeVisible();
  expect(row('B').getByRole('img', { name: 'Scores of cells of B: no threshold' })).toBeVisible();
  expect(row('B').getByText('no two modes')).toBeVisible();
  expect(screen.queryByRole('rowheader', { name: 'C' })).toBeNull();
  expect(screen.getByText(/ 1 more sample has no histogram/)).toBeVisible();
  // The axis ends behind the greatest score and the greatest threshold.
  expect(screen.getAllByText('0.36')).toHaveLength(2);
});

test('a threshold that is tried is that of every sample, and counted in the bins', () => {
  const { rerender } = render(<DoubletScores doublets={doublets} tried={0.2} />);
  for (const name of ['A', 'B']) {
    expect(row(name).getByText('about 5 of 100 above')).toBeVisible();
    expect(row(name).getByText('about 30 % above')).toBeVisible();
    expect(row(name).getByText('0.2')).toBeVisible();
    expect(row(name).getByText('set on build')).toBeVisible();
  }
  const groups = [{ ...doublets.groups[0]!, threshold: 0.2, called: 5 }];
  rerender(<DoubletScores doublets={{ ...doublets, threshold: 0.2, groups }} />);
  expect(row('A').getByText('5 of 100 above')).toBeVisible();
  expect(row('A').getByText('set by hand')).toBeVisible();
  // The one that is in force is not tried: what is above it is known.
  rerender(<DoubletScores doublets={{ ...doublets, threshold: 0.2, groups }} tried={0.2} />);
  expect(row('A').getByText('5 of 100 above')).toBeVisible();
  expect(row('A').getByText('set by hand')).toBeVisible();
  rerender(<DoubletScores doublets={{ ...doublets, threshold: 0.2, groups }} tried={null} />);
  expect(row('A').getByText('detected on build')).toBeVisible();
  expect(row('A').queryByText(/above/)).toBeNull();
});

test('scores above one within a bin are counted by its place there', () => {
  expect(countAbove([4, 8], 0.5)).toBe(8);
  expect(countAbove([4, 8], 0.25)).toBe(10);
  expect(countAbove([4, 8], 0)).toBe(12);
  expect(countAbove([4, 8], 1)).toBe(0);
});
