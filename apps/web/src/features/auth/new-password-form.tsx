import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { Failure } from './failure.tsx';
import type { NewPassword } from './new-password.ts';
import { checkNewPassword } from './new-password.ts';
import { SubmitButton } from './submit-button.tsx';

/** Chooses a new password for whoever the link of the mail signed in. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { auth } = useServices();
  const [value, setValue] = useState<NewPassword>({ newPassword: '', confirmPassword: '' });
  const [problems, setProblems] = useState<Partial<NewPassword>>({});
  const inputs = {
    newPassword: useRef<HTMLInputElement>(null),
    confirmPassword: useRef<HTMLInputElement>(null),
  };
  const update = useMutation({
    mutationFn: (password: string) => authAnswer(() => auth.updateUser({ password })),
    onSuccess: onDone,
  });
  const field = (name: keyof NewPassword, label: string) => (
    <Field label={label} error={problems[name]}>
      {(control) => (
        <Input
          {...control}
          ref={inputs[name]}
          type="password"
          required
          autoComplete="new-password"
          value={value[name]}
          onChange={(event) => {
            setValue({ ...value, [name]: event.target.value });
            setProblems(({ [name]: _solved, ...rest }) => rest);
          }}
        />
      )}
    </Field>
  );
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (update.isPending) return;
        const found = checkNewPassword(value);
        setProblems(found);
        if (found.newPassword !== undefined) inputs.newPassword.current?.focus();
        else if (found.confirmPassword !== undefined) inputs.confirmPassword.current?.focus();
        else update.mutate(value.newPassword);
      }}
    >
      {field('newPassword', 'New Password')}
      {field('confirmPassword', 'Confirm New Password')}
      {update.error !== null && <Failure>{update.error.message}</Failure>}
      <SubmitButton busy={update.isPending} label="Update Password" busyLabel="Updating..." />
    </form>
  );
}
