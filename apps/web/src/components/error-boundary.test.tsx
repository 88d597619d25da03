import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

test('a failure stays in its region, is logged, and can be tried again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  let broken = true;
  function Part() {
    if (broken) throw new Error('no data');
    return <p>The part</p>;
  }
  render(
    <>
      <ErrorBoundary region="The list">
        <Part />
      </ErrorBoundary>
      <p>The neighbor</p>
    </>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('The list could not be shown.');
  expect(screen.getByText('The neighbor')).toBeVisible();
  expect(log.mock.calls.flat()).toContain('The list failed.');
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('The part')).toBeVisible();
  log.mockRestore();
});
