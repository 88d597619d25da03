import { CircleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { ButtonProps } from '@/components/ui/button.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { checkEmail } from './credentials.ts';

export function Failure({ children }: { children: ReactNode }) {
  return (
    <Alert variant="danger" role="alert">
      <CircleAlert aria-hidden />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </Alert>
  );
}

interface SubmitButtonProps {
  busy: boolean;
  label: string;
  busyLabel: string;
  disabled?: boolean;
  className?: string;
  variant?: ButtonProps['variant'];
}

/** Keeps the focus while its form is sent; disabling the button would drop it. */
export function SubmitButton({
  busy,
  label,
  busyLabel,
  disabled,
  className = 'w-full',
  variant = 'primary',
}: SubmitButtonProps) {
  return (
    <Button type="submit" variant={variant} aria-disabled={busy} disabled={disabled} className={className}>
      {busy && <Spinner />}
      {busy ? busyLabel : label}
    </Button>
  );
}

interface EmailFormProps {
  initialEmail: string;
  label: string;
  busyLabel: string;
  busy: boolean;
  error: string | undefined;
  onSubmit: (email: string) => void;
  children?: ReactNode;
}

export function EmailForm({
  initialEmail,
  label,
  busyLabel,
  busy,
  error,
  onSubmit,
  children,
}: EmailFormProps) {
  const email = useEmailField(initialEmail);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const address = email.checked();
        if (address !== undefined) onSubmit(address);
      }}
    >
      {email.field}
      {error !== undefined && <Failure>{error}</Failure>}
      {children}
      <SubmitButton busy={busy} label={label} busyLabel={busyLabel} />
    </form>
  );
}

export function useEmailField(initialEmail: string, onEdit?: () => void) {
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(initialEmail);
  const [problem, setProblem] = useState<string>();
  return {
    /** The address; if invalid, focuses the field with its problem and returns undefined. */
    checked(): string | undefined {
      const newProblem = checkEmail(email, input.current?.validity.typeMismatch !== true);
      setProblem(newProblem);
      if (newProblem === undefined) return email.trim();
      input.current?.focus();
      return undefined;
    },
    field: (
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
              onEdit?.();
            }}
          />
        )}
      </Field>
    ),
  };
}
