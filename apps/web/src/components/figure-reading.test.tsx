import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { figureAlt } from '@/lib/figure-words.ts';
import { FigureReading } from './figure-reading.tsx';

const words = {
  title: 'Dot plot: 2 genes, Lung',
  reading: 'The dots show 2 genes. The highest mean is 3.1.',
  cautions: ['Few cells.', '<b>1</b> group is not in the figure.'],
};

afterEach(() => vi.unstubAllGlobals());

test('a reading is shown with its cautions, and copied with its title as a legend', async () => {
  vi.stubGlobal('isSecureContext', true);
  const user = userEvent.setup();
  render(<FigureReading words={words} />);
  expect(screen.getByText(words.reading)).toBeVisible();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(words.cautions);
  await user.click(screen.getByRole('button', { name: 'Copy description' }));
  expect(await navigator.clipboard.readText()).toBe(
    'Dot plot: 2 genes, Lung. The dots show 2 genes. The highest mean is 3.1. Few cells. <b>1</b> group is not in the figure.',
  );
});

test('the alternative text of a figure is its name and its reading, or its name where it has no words', () => {
  expect(figureAlt('CD3D, Dot plot', words)).toBe(
    'CD3D, Dot plot. The dots show 2 genes. The highest mean is 3.1.',
  );
  expect(figureAlt('CD3D', undefined)).toBe('CD3D');
});
