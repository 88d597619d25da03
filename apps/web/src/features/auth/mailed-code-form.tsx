import type { EmailOtpType } from '@supabase/auth-js';
import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { CodeForm } from './code-form.tsx';
import { useEmailField } from './use-email-field.tsx';

interface MailedCodeFormProps {
  type: EmailOtpType;
  initialEmail: string;
  label: string;
  busyLabel: string;
}

/** Takes the six digits of a mail instead of its link, on any device; a right code signs in. */
export function MailedCodeForm({ type, initialEmail, label, busyLabel }: MailedCodeFormProps) {
  const { auth } = useServices();
  const verify = useMutation({
    mutationFn: ({ email, token }: { email: string; token: string }) =>
      authAnswer(() => auth.verifyOtp({ type, email, token })),
  });
  const email = useEmailField(initialEmail, verify.reset);
  return (
    <CodeForm
      codeLabel="Code from the mail"
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
