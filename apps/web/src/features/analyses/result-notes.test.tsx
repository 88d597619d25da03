import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { markerResult, pathwayResult } from './result.fixture.ts';
import { ResultNotes } from './results-dialog.tsx';

const marker = (warnings: { code: string; message: string }[]) => markerResult('', { warnings });

test('every caution begins on its own line, the gravest first, and all of it is read on request', async () => {
  const long = `${'5 samples are tested as 4,302 replicates. '.repeat(5)}End.`;
  render(
    <ResultNotes
      result={marker([
        { code: 'a', message: long },
        { code: 'b', message: 'Short.' },
      ])}
    />,
  );
  const lines = screen.getAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual([long, 'Short.']);
  expect(lines[0]).toHaveClass('truncate');
  const more = screen.getByRole('button', { name: 'Read all 2' });
  expect(more).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(more);
  expect(lines[0]).not.toHaveClass('truncate');
  expect(screen.getByRole('button', { name: 'Less' })).toHaveAttribute('aria-expanded', 'true');
});

test('of many cautions the gravest four are there at once, and the others when all are asked for', async () => {
  const many = Array.from({ length: 6 }, (_, at) => ({ code: `c${at}`, message: `Caution ${at}.` }));
  render(<ResultNotes result={marker(many)} />);
  const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts()).toEqual(['Caution 0.', 'Caution 1.', 'Caution 2.', 'Caution 3.']);
  await userEvent.click(screen.getByRole('button', { name: 'Read all 6' }));
  expect(texts()).toHaveLength(6);
});

test('one short caution needs no button, and a result without any has no notes', () => {
  const { container, rerender } = render(<ResultNotes result={marker([{ code: 'a', message: 'Short.' }])} />);
  expect(screen.getByText('Short.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<ResultNotes result={pathwayResult('')} />);
  expect(container).toBeEmptyDOMElement();
});
