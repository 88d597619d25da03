import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { SearchedChoice } from './searched-choice.tsx';

const choices = Array.from({ length: 2000 }, (_, at) => ({ value: `=${at}`, label: `guide ${at}` }));

function Field() {
  const [value, setValue] = useState('=7');
  return (
    <>
      <SearchedChoice label="Group" choices={choices} value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

test('of two thousand choices two hundred are listed, and any is found by a part of its name', async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.click(screen.getByRole('button', { name: 'Group: guide 7' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(200);
  expect(screen.getByText('1,800 more: type part of the name.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'guide 7', pressed: true })).toBeVisible();
  const search = screen.getByRole('searchbox', { name: 'Find: Group' });
  await user.type(search, 'GUIDE 199');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'guide 199',
    ...Array.from({ length: 10 }, (_, at) => `guide ${1990 + at}`),
  ]);
  await user.click(screen.getByRole('button', { name: 'guide 1997' }));
  expect(screen.getByRole('status')).toHaveTextContent('=1997');
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('the enter key takes the first match, and nothing where no name matches', async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.click(screen.getByRole('button', { name: 'Group: guide 7' }));
  await user.keyboard('none{Enter}');
  expect(screen.getByText('No match.')).toBeVisible();
  await user.clear(screen.getByRole('searchbox'));
  await user.keyboard('1234{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent('=1234');
});
