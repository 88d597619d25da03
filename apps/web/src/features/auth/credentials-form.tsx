import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import type { Credentials, CredentialsProblems } from './credentials.ts';
import { checkCredentials, minPasswordLength } from './credentials.ts';
import { Failure } from './failure.tsx';
import { SubmitButton } from './submit-button.tsx';

interface CredentialsFormProps {
  purpose: 'sign-in' | 'sign-up';
  value: Credentials;
  onChange: (value: Credentials) => void;
  onSubmit: (value: Credentials) => void;
  busy: boolean;
  error: string | undefined;
  /** Between the fields and the button: messages and what else is asked for. */
  children?: ReactNode;
}

const texts = {
  'sign-in': { submit: 'Sign In', busy: 'Signing in...', autoComplete: 'current-password' },
  'sign-up': { submit: 'Sign Up', busy: 'Signing up...', autoComplete: 'new-password' },
} as const;

/** Email and password. Problems are shown beside their fields on submit, and the first of them gets the focus. */
export function CredentialsForm({
  purpose,
  value,
  onChange,
  onSubmit,
  busy,
  error,
  children,
}: CredentialsFormProps) {
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<CredentialsProblems>({});
  const text = texts[purpose];

  const edit = (field: keyof Credentials, content: string) => {
    onChange({ ...value, [field]: content });
    setProblems(({ [field]: _solved, ...rest }) => rest);
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const found = checkCredentials(value, purpose, email.current?.validity.typeMismatch !== true);
        setProblems(found);
        if (found.email) email.current?.focus();
        else if (found.password) password.current?.focus();
        else onSubmit(value);
      }}
    >
      <Field label="Email" error={problems.email}>
        {(control) => (
          <Input
            {...control}
            ref={email}
            type="email"
            required
            autoComplete="email"
            value={value.email}
            onChange={(event) => edit('email', event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Password"
        error={problems.password}
        hint={
          purpose === 'sign-up' && problems.password === undefined
            ? `At least ${minPasswordLength} characters`
            : undefined
        }
      >
        {(control) => (
          <Input
            {...control}
            ref={password}
            type="password"
            required
            minLength={purpose === 'sign-up' ? minPasswordLength : undefined}
            autoComplete={text.autoComplete}
            value={value.password}
            onChange={(event) => edit('password', event.target.value)}
          />
        )}
      </Field>
      {error !== undefined && <Failure>{error}</Failure>}
      {children}
      <SubmitButton busy={busy} label={text.submit} busyLabel={text.busy} />
    </form>
  );
}
