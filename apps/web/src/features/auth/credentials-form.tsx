import type { ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Field, Input } from '@/components/ui/form.tsx';
import type { Credentials, CredentialsProblems } from './credentials.ts';
import { checkCredentials, minPasswordLength } from './credentials.ts';
import { Failure, SubmitButton } from './form-parts.tsx';

interface CredentialsFormProps {
  purpose: 'sign-in' | 'sign-up';
  value: Credentials;
  onChange: (value: Credentials) => void;
  onSubmit: (value: Credentials) => void;
  ready: boolean;
  busy: boolean;
  error: string | undefined;
  children?: ReactNode;
}

const texts = {
  'sign-in': { submit: 'Sign In', busy: 'Signing in...', autoComplete: 'current-password' },
  'sign-up': { submit: 'Sign Up', busy: 'Signing up...', autoComplete: 'new-password' },
} as const;

/** Email and password. Problems are shown beside their fields on submit, and the first one gets the focus. */
export function CredentialsForm({
  purpose,
  value,
  onChange,
  onSubmit,
  ready,
  busy,
  error,
  children,
}: CredentialsFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<CredentialsProblems>({});
  const text = texts[purpose];

  const edit = (field: keyof Credentials, content: string) => {
    onChange({ ...value, [field]: content });
    setProblems(({ [field]: _solved, ...rest }) => rest);
  };

  // Values typed or autofilled before the code of the page was loaded.
  useLayoutEffect(() => {
    const fieldValues = { email: email.current?.value ?? '', password: password.current?.value ?? '' };
    if (fieldValues.email !== value.email || fieldValues.password !== value.password) onChange(fieldValues);
  }, [value.email, value.password, onChange]);

  // A form submitted too early, which boot.js has marked.
  useEffect(() => {
    if (!ready || form.current?.hasAttribute('data-sent') !== true) return;
    form.current.removeAttribute('data-sent');
    form.current.requestSubmit();
  }, [ready]);

  return (
    <form
      ref={form}
      noValidate
      // Never in the URL, however early it is submitted.
      method="post"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const newProblems = checkCredentials(value, purpose, email.current?.validity.typeMismatch !== true);
        setProblems(newProblems);
        if (newProblems.email) email.current?.focus();
        else if (newProblems.password) password.current?.focus();
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
      <SubmitButton disabled={!ready} busy={busy} label={text.submit} busyLabel={text.busy} />
    </form>
  );
}
