import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/input.tsx';
import { Label } from '@/components/ui/label.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { Credentials, CredentialsProblems } from './credentials.ts';
import { checkCredentials, minPasswordLength } from './credentials.ts';

interface CredentialsFormProps {
  purpose: 'sign-in' | 'sign-up';
  value: Credentials;
  onChange: (value: Credentials) => void;
  onSubmit: (value: Credentials) => void;
  busy: boolean;
  error: string | undefined;
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
  const id = useId();
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
      <Field id={`${id}-email`} label="Email" problem={problems.email}>
        {(described) => (
          <Input
            {...described}
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
        id={`${id}-password`}
        label="Password"
        problem={problems.password}
        hint={purpose === 'sign-up' ? `At least ${minPasswordLength} characters` : undefined}
      >
        {(described) => (
          <Input
            {...described}
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
      {error !== undefined && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          {error}
        </Alert>
      )}
      {children}
      <Button type="submit" aria-disabled={busy} className="w-full">
        {busy ? (
          <>
            <Spinner />
            {text.busy}
          </>
        ) : (
          text.submit
        )}
      </Button>
    </form>
  );
}

interface FieldProps {
  id: string;
  label: string;
  problem: string | undefined;
  hint?: string | undefined;
  children: (described: { id: string; 'aria-invalid': boolean; 'aria-describedby'?: string }) => ReactNode;
}

function Field({ id, label, problem, hint, children }: FieldProps) {
  const note = problem ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        ...(note === undefined ? {} : { 'aria-describedby': `${id}-note` }),
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={problem === undefined ? 'text-muted text-xs' : 'text-danger text-xs'}>
          {note}
        </p>
      )}
    </div>
  );
}
