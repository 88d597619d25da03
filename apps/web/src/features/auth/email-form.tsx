import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { SubmitButton } from './submit-button.tsx';
import { useEmailField } from './use-email-field.tsx';

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
