import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { checkEmail } from './credentials.ts';
import { Failure } from './failure.tsx';
import { SubmitButton } from './submit-button.tsx';

interface EmailFormProps {
  initialEmail: string;
  label: string;
  busyLabel: string;
  busy: boolean;
  error: string | undefined;
  onSubmit: (email: string) => void;
  children?: ReactNode;
}

/** Asks for an email address alone. */
export function EmailForm({
  initialEmail,
  label,
  busyLabel,
  busy,
  error,
  onSubmit,
  children,
}: EmailFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(initialEmail);
  const [problem, setProblem] = useState<string>();
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const found = checkEmail(email, input.current?.validity.typeMismatch !== true);
        setProblem(found);
        if (found !== undefined) input.current?.focus();
        else onSubmit(email.trim());
      }}
    >
      <Field label="Email" error={problem}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            type="email"
            required
            autoComplete="email"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      {error !== undefined && <Failure>{error}</Failure>}
      {children}
      <SubmitButton busy={busy} label={label} busyLabel={busyLabel} />
    </form>
  );
}
