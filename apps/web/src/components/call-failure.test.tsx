import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { CallFailureAlert } from './call-failure.tsx';

const failure = (status: number, code: string) =>
  new CallFailed('It failed.', new ApiRefusal(status, code, 'Because.'));

test('after a reload the request is made of what was reloaded, as soon as the page shows it', async () => {
  const retrySpy = vi.fn();
  function Page() {
    const [version, setVersion] = useState('old');
    const shown = useRef(() => {});
    useEffect(() => {
      if (version === 'new') shown.current();
    }, [version]);
    const reload = () =>
      new Promise<boolean>((resolve) => {
        shown.current = () => resolve(true);
        setVersion('new');
      });
    const error = failure(409, 'dataset_changed');
    return <CallFailureAlert error={error} keptNote="" onRetry={() => retrySpy(version)} onReload={reload} />;
  }
  render(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Reload dataset and try again' }));
  expect(retrySpy.mock.calls).toEqual([['new']]);
});

test('where the reload fails, nothing is requested', async () => {
  const retrySpy = vi.fn();
  const error = failure(409, 'dataset_changed');
  render(<CallFailureAlert error={error} keptNote="" onRetry={retrySpy} onReload={async () => false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Reload dataset and try again' }));
  expect(retrySpy).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Reload dataset and try again' })).toBeEnabled();
});

test('a retry is offered for a temporary failure, not for a request that is refused for its content', () => {
  const show = (error: Error) => (
    <CallFailureAlert error={error} keptNote="Kept." onRetry={() => {}} onReload={async () => true} />
  );
  const { rerender } = render(show(failure(503, 'too_busy')));
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  rerender(show(failure(422, 'not_drawable')));
  expect(screen.getByRole('alert')).toHaveTextContent('It failed.Kept.');
  expect(screen.queryByRole('button')).toBeNull();
});
