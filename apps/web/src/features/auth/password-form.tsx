import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Field, Input } from '@/components/ui/form.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-calls.ts';
import { minPasswordLength } from './credentials.ts';
import { Failure, SubmitButton } from './form-parts.tsx';

interface PasswordField<Name extends string> {
  name: Name;
  label: string;
  autoComplete: 'current-password' | 'new-password';
}

interface PasswordFormProps<Name extends string> {
  fields: readonly PasswordField<Name>[];
  /** Problems by field; empty if valid. */
  check: (values: Record<Name, string>) => Partial<Record<Name, string>>;
  onSubmit: (values: Record<Name, string>) => void;
  busy: boolean;
  error?: string | undefined;
  buttonClassName?: string;
}

export function PasswordForm<Name extends string>({
  fields,
  check,
  onSubmit,
  busy,
  error,
  buttonClassName,
}: PasswordFormProps<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<Name, string>,
  );
  const [problems, setProblems] = useState<Partial<Record<Name, string>>>({});
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const newProblems = check(values);
        setProblems(newProblems);
        // name-dictionary: names of the fields of the form
        const first = fields.find(({ name }) => newProblems[name] !== undefined);
        if (first === undefined) onSubmit(values);
        else form.current?.querySelector<HTMLInputElement>(`input[name="${first.name}"]`)?.focus();
      }}
    >
      {fields.map(({ name, label, autoComplete }) => (
        // name-dictionary: the same
        <Field key={name} label={label} error={problems[name]}>
          {(control) => (
            <Input
              {...control}
              name={name}
              type="password"
              required
              autoComplete={autoComplete}
              // name-dictionary: the same
              value={values[name]}
              onChange={(event) => {
                setValues({ ...values, [name]: event.target.value });
                setProblems({ ...problems, [name]: undefined });
              }}
            />
          )}
        </Field>
      ))}
      {error !== undefined && <Failure>{error}</Failure>}
      <SubmitButton
        busy={busy}
        label="Update Password"
        busyLabel="Updating..."
        {...(buttonClassName !== undefined && { className: buttonClassName })}
      />
    </form>
  );
}

export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { auth } = useServices();
  const update = useMutation({
    mutationFn: (password: string) => authAnswer(() => auth.updateUser({ password })),
    onSuccess: onDone,
  });
  return (
    <PasswordForm
      fields={newPasswordFields}
      check={checkNewPassword}
      onSubmit={({ newPassword }) => update.mutate(newPassword)}
      busy={update.isPending}
      error={update.error?.message}
    />
  );
}

export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

export const newPasswordFields = [
  { name: 'newPassword', label: 'New Password', autoComplete: 'new-password' },
  { name: 'confirmPassword', label: 'Confirm New Password', autoComplete: 'new-password' },
] as const;

/** Problems of a new password typed twice, by field; empty if valid. */
export function checkNewPassword({ newPassword, confirmPassword }: NewPassword): Partial<NewPassword> {
  const problems: Partial<NewPassword> = {};
  if (newPassword.length < minPasswordLength) {
    problems.newPassword = `Password must be at least ${minPasswordLength} characters`;
  }
  if (confirmPassword === '') problems.confirmPassword = 'Please confirm your password';
  else if (newPassword !== confirmPassword) problems.confirmPassword = "Passwords don't match";
  return problems;
}
