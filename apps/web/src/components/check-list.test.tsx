import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { CheckList } from './check-list.tsx';

const count = 10_000;
const items = Array.from({ length: count }, (_, i) => ({
  value: `clone ${i}`,
  label: `clone ${i}`,
  count: 1,
}));

function Chooser() {
  const [checked, setChecked] = useState<string[]>([]);
  return <CheckList legend="Clones" items={items} checked={checked} onChange={setChecked} />;
}

test('of ten thousand categories the first are shown, and all can be found and chosen', async () => {
  render(<Chooser />);
  const group = within(screen.getByRole('group', { name: 'Clones' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(200);
  expect(group.getByText('The first 200 of 10,000 are shown; search for others by name.')).toBeVisible();
  await userEvent.type(group.getByRole('searchbox'), '9999');
  expect(group.getAllByRole('checkbox')).toHaveLength(1);
  await userEvent.click(group.getByRole('checkbox', { name: /clone 9999/ }));
  expect(group.getByText('1 of 10,000 selected')).toBeVisible();
  expect(group.queryByText(/are shown/)).toBeNull();
  await userEvent.clear(group.getByRole('searchbox'));
  await userEvent.click(group.getByRole('button', { name: 'Select all' }));
  expect(group.getByText('10,000 of 10,000 selected')).toBeVisible();
});
