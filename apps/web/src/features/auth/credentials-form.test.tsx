import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { CredentialsForm } from './credentials-form.tsx';

const value = { email: 'ada@example.org', password: 'a long password' };

function form(ready: boolean, onSubmit: () => void) {
  return (
    <CredentialsForm
      purpose="sign-in"
      value={value}
      onChange={() => {}}
      onSubmit={onSubmit}
      ready={ready}
      busy={false}
      error={undefined}
    />
  );
}

test('what was sent before the page could send is sent once, when it can', () => {
  const onSubmit = vi.fn();
  const { rerender } = render(form(false, onSubmit));
  screen.getByLabelText('Email').closest('form')?.setAttribute('data-sent', '');
  rerender(form(false, onSubmit));
  expect(onSubmit).not.toHaveBeenCalled();
  rerender(form(true, onSubmit));
  expect(onSubmit.mock.calls).toEqual([[value]]);
  rerender(form(false, onSubmit));
  rerender(form(true, onSubmit));
  expect(onSubmit).toHaveBeenCalledTimes(1);
});
