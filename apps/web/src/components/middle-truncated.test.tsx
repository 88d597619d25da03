import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MiddleTruncated } from './middle-truncated.tsx';

test('a long text is in the page once and whole, with its end on a piece that does not shrink', () => {
  const { container } = render(<MiddleTruncated text="Triple-negative tumours, cohort 𝟚" endLength={3} />);
  expect(container).toHaveTextContent(/^Triple-negative tumours, cohort 𝟚$/);
  expect(screen.getByTitle('Triple-negative tumours, cohort 𝟚')).toBeVisible();
  const truncatedText = container.querySelector<HTMLElement>('[aria-hidden]');
  expect({ ...truncatedText?.dataset }).toEqual({ start: 'Triple-negative tumours, cohor', end: 't 𝟚' });
});

test('a last word that is a little longer than the end is kept whole', () => {
  const { container } = render(<MiddleTruncated text="Triple-negative breast tumours" />);
  const truncatedText = container.querySelector<HTMLElement>('[aria-hidden]');
  expect({ ...truncatedText?.dataset }).toEqual({ start: 'Triple-negative breast ', end: 'tumours' });
});

test('a text that its end would be half of is cut at its end', () => {
  const { container } = render(<MiddleTruncated text="Blood" endLength={3} />);
  expect(container.querySelector('[aria-hidden]')).toBeNull();
  expect(screen.getByText('Blood')).toBeVisible();
});
