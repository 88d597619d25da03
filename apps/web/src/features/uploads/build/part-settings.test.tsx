import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PartSettings } from './part-settings.tsx';

const resolutions = [2];

test('with a method the first column is taken, and another can be chosen; without one there is none', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  const shown = (choice: Parameters<typeof PartSettings>[0]['choice']) => (
    <PartSettings choice={choice} columns={['donor', 'run']} onChange={onChange} />
  );
  const { rerender } = render(shown({ resolutions }));
  expect(screen.queryByLabelText('Batches')).toBeNull();
  await user.click(screen.getByLabelText('Integration'));
  await user.click(screen.getByRole('option', { name: 'Mutual nearest neighbors' }));
  const chosen = { resolutions, integrate: 'mnn', batchColumn: 'donor' } as const;
  expect(onChange).toHaveBeenLastCalledWith(chosen);
  rerender(shown(chosen));
  expect(screen.getByLabelText('Batches')).toHaveAccessibleDescription(
    'Its values are integrated by Mutual nearest neighbors.',
  );
  await user.click(screen.getByLabelText('Batches'));
  await user.click(screen.getByRole('option', { name: 'run' }));
  expect(onChange).toHaveBeenLastCalledWith({ ...chosen, batchColumn: 'run' });
  await user.click(screen.getByLabelText('Integration'));
  await user.click(screen.getByRole('option', { name: 'None' }));
  expect(onChange).toHaveBeenLastCalledWith({ resolutions });
});
