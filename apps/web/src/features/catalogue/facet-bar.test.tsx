import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { FacetBar } from './facet-bar.tsx';
import { facets } from './facets.ts';

test('a phone draws the menus of the filters when they are opened; their values are in order', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media === '(width < 40rem)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const values = ['Stage 10', 'Stage 2', 'Stage 1'].map((value) => ({ value, count: 1, chosen: true }));
  const facet = facets.find(({ key }) => key === 'subdisease')!;
  const bar = (
    <FacetBar facets={[{ facet, values }]} matchCount={3} all={3} onChange={() => {}} onClear={() => {}} />
  );
  render(bar);
  const user = userEvent.setup();
  expect(screen.queryByRole('button', { name: /^Sub-disease/ })).toBeNull();
  expect(
    screen.getAllByRole('button', { name: /^Remove filter/ }).map(({ textContent }) => textContent),
  ).toEqual(['Stage 1', 'Stage 2', 'Stage 10'].map((value) => `Sub-disease: ${value}`));
  await user.click(screen.getByRole('button', { name: 'Filters (3)' }));
  await user.click(screen.getByRole('button', { name: /^Sub-disease/ }));
  expect(screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual(
    ['Stage 1', 'Stage 2', 'Stage 10'].map((value) => `${value}1, 1 dataset`),
  );
});
