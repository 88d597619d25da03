import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { markerResult, pathwayResult } from './result.fixture.ts';
import { ResultNotes } from './results-dialog.tsx';

const marker = (warnings: { code: string; message: string }[]) => markerResult('', { warnings });

test('of many warnings the gravest two are read at once, and the others by the keyboard', async () => {
  const many = Array.from({ length: 5 }, (_, at) => ({ code: `c${at}`, message: `Warning ${at}.` }));
  render(<ResultNotes result={marker(many)} />);
  const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts()).toEqual(['Warning 0.', 'Warning 1.']);
  expect(screen.getByRole('button', { name: '3 more' })).toHaveAttribute('aria-expanded', 'false');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(texts()).toEqual(many.map(({ message }) => message));
  expect(screen.getByRole('button', { name: 'Fewer' })).toHaveAttribute('aria-expanded', 'true');
});

test('two warnings need no button, and a result without any has no notes', () => {
  const two = [
    { code: 'a', message: 'Short.' },
    { code: 'b', message: 'Shorter.' },
  ];
  const { container, rerender } = render(<ResultNotes result={marker(two)} />);
  expect(screen.getByText('Short.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<ResultNotes result={pathwayResult('')} />);
  expect(container).toBeEmptyDOMElement();
});
