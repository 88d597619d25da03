import type { EmailOtpType } from '@supabase/auth-js';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { CodeForm } from './code-form.tsx';
import { checkEmail } from './credentials.ts';

interface MailedCodeFormProps {
  type: EmailOtpType;
  initialEmail: string;
  label: string;
  busyLabel: string;
}

/** Takes the six digits of a mail instead of its link, on any device; a right code signs in. */
export function MailedCodeForm({ type, initialEmail, label, busyLabel }: MailedCodeFormProps) {
  const { auth } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(initialEmail);
  const [problem, setProblem] = useState<string>();
  const verify = useMutation({
    mutationFn: (token: string) => authAnswer(() => auth.verifyOtp({ type, email: email.trim(), token })),
  });
  return (
    <CodeForm
      codeLabel="Code from the mail"
      label={label}
      busyLabel={busyLabel}
      busy={verify.isPending}
      error={verify.error?.message}
      onSubmit={(code) => {
        const found = checkEmail(email, input.current?.validity.typeMismatch !== true);
        setProblem(found);
        if (found !== undefined) input.current?.focus();
        else verify.mutate(code);
      }}
      before={
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
                verify.reset();
              }}
            />
          )}
        </Field>
      }
    />
  );
}
