import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { CallFailureAlert } from './call-failure.tsx';

test('after a reload the request is made of what was reloaded', async () => {
  const asked = vi.fn();
  const error = new CallFailed('It failed.', new ApiRefusal(409, 'dataset_changed', 'Replaced.'));
  function Page() {
    const [version, setVersion] = useState('old');
    const reload = async () => {
      // As a query tells its observers: some time later.
      setTimeout(() => setVersion('new'));
      return true;
    };
    return <CallFailureAlert error={error} kept="" onRetry={() => asked(version)} onReload={reload} />;
  }
  render(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Reload dataset and try again' }));
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect(asked).toHaveBeenCalledWith('new');
});
