import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { markerResult, pathwayResult } from './result.fixture.ts';
import { ResultNotes } from './result-view.tsx';

const marker = (warnings: { code: string; message: string }[]) => markerResult('', { warnings });

test('of many warnings the gravest two are read at once, and the others by the keyboard', async () => {
  const many = Array.from({ length: 5 }, (_, at) => ({ code: `c${at}`, message: `Warning ${at}.` }));
  render(<ResultNotes result={marker(many)} />);
  const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts()).toEqual(['Warning 0.', 'Warning 1.']);
  expect(screen.getByRole('button', { name: '3 more' })).toHaveAttribute('aria-expanded', 'false');
  await userEvent.tab();
  expect(screen.getByRole('button', { name: '5 cautions' })).toHaveFocus();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(texts()).toEqual(many.map(({ message }) => message));
  expect(screen.getByRole('button', { name: 'Fewer' })).toHaveAttribute('aria-expanded', 'true');
});

test('two warnings stand with the result until they are folded, which their result remembers', async () => {
  const two = [
    { code: 'a', message: 'Short.' },
    { code: 'b', message: 'Shorter.' },
  ];
  const { unmount } = render(<ResultNotes result={{ ...marker(two), id: 'folded' }} />);
  expect(screen.getByText('Short.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '2 cautions', expanded: true }));
  expect(screen.getByText('Short.')).not.toBeVisible();
  unmount();
  const again = render(<ResultNotes result={{ ...marker(two), id: 'folded' }} />);
  expect(screen.getByRole('button', { name: '2 cautions', expanded: false })).toBeVisible();
  again.rerender(<ResultNotes key="other" result={{ ...marker(two), id: 'other' }} />);
  expect(screen.getByText('Short.')).toBeVisible();
  again.rerender(<ResultNotes key="none" result={pathwayResult('')} />);
  expect(again.container).toBeEmptyDOMElement();
});
