import type { EmailOtpType } from '@supabase/auth-js';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Field, Input } from '@/components/ui/form.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-calls.ts';
import { Failure, SubmitButton, useEmailField } from './form-parts.tsx';

interface CodeFormProps {
  codeLabel: string;
  label: string;
  busyLabel: string;
  busy: boolean;
  error: string | undefined;
  onSubmit: (code: string) => void;
  before?: ReactNode;
  /** Focuses the field, on a page or dialog only for the code. */
  focused?: boolean;
  className?: string;
}

/** Asks for a six-digit code. Spaces in a pasted code are ignored. */
export function CodeForm({
  codeLabel,
  label,
  busyLabel,
  busy,
  error,
  onSubmit,
  before,
  focused = false,
  className = 'flex flex-col gap-4',
}: CodeFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const newProblem =
          code.length === codeLength ? undefined : `Please enter the ${codeLength} digits of the code`;
        setProblem(newProblem);
        if (newProblem !== undefined) input.current?.focus();
        else onSubmit(code);
      }}
    >
      {before}
      <Field label={codeLabel} error={problem}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            required
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by pages that hold nothing else
            autoFocus={focused}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000000"
            className="tracking-[0.3em] tabular-nums"
            value={code}
            onChange={(event) => {
              setCode(cleanCode(event.target.value));
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      {error !== undefined && <Failure>{error}</Failure>}
      <SubmitButton busy={busy} label={label} busyLabel={busyLabel} />
    </form>
  );
}

const codeLength = 6;

/** The digits of the typed or pasted text, cut to the length of a code. */
export function cleanCode(text: string): string {
  return text.replace(/\D/g, '').slice(0, codeLength);
}

interface MailedCodeFormProps {
  type: EmailOtpType;
  initialEmail: string;
  label: string;
  busyLabel: string;
}

/** Accepts the six digits of a mail instead of its link, on any device; a correct code signs in. */
export function MailedCodeForm({ type, initialEmail, label, busyLabel }: MailedCodeFormProps) {
  const { auth } = useServices();
  const verify = useMutation({
    mutationFn: ({ email, token }: { email: string; token: string }) =>
      authAnswer(() => auth.verifyOtp({ type, email, token })),
  });
  const email = useEmailField(initialEmail, verify.reset);
  return (
    <CodeForm
      codeLabel="Code from the email"
      label={label}
      busyLabel={busyLabel}
      busy={verify.isPending}
      error={verify.error?.message}
      onSubmit={(code) => {
        const address = email.checked();
        if (address !== undefined) verify.mutate({ email: address, token: code });
      }}
      before={email.field}
    />
  );
}
