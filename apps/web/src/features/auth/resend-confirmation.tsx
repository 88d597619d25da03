import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useResend } from './auth-calls.ts';
import { useCaptcha } from './captcha.tsx';
import type { CaptchaState } from './captcha.tsx';
import { EmailForm, Failure } from './form-parts.tsx';

export function ResendConfirmation({ email, captcha }: { email: string; captcha: CaptchaState }) {
  const resend = useResend();
  return (
    <div className="flex flex-col gap-3">
      {resend.isSuccess && (
        <Alert variant="success" role="status">
          <MailCheck aria-hidden />
          The email was sent again. It can take a minute; check your spam folder too.
        </Alert>
      )}
      {resend.error !== null && <Failure>{resend.error.message}</Failure>}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="sm"
          aria-disabled={resend.isPending || !captcha.ready}
          onClick={() => {
            if (!resend.isPending && captcha.ready) resend.mutate({ email, captcha: captcha.take() });
          }}
        >
          {resend.isPending && <Spinner />}
          Resend confirmation
        </Button>
        <Button asChild variant="ghost" size="sm">
          <Link to="/auth/confirm" state={{ email }}>
            Enter the code instead
          </Link>
        </Button>
      </div>
    </div>
  );
}

export function ResendForm({ initialEmail }: { initialEmail: string }) {
  const [open, setOpen] = useState(false);
  const [unproven, setUnproven] = useState(false);
  const captcha = useCaptcha();
  const resend = useResend();
  if (resend.isSuccess) {
    return (
      <Alert variant="success" role="status">
        <MailCheck aria-hidden />
        If this address is not confirmed yet, a new email is on its way.
      </Alert>
    );
  }
  if (!open) {
    return (
      <Button variant="ghost" size="sm" className="self-center" onClick={() => setOpen(true)}>
        Resend confirmation
      </Button>
    );
  }
  return (
    <section aria-label="Resend confirmation" className="border-t pt-5">
      <EmailForm
        initialEmail={initialEmail}
        label="Resend confirmation"
        busyLabel="Sending..."
        busy={resend.isPending}
        error={resend.error?.message ?? (unproven ? 'Please complete the check below first.' : undefined)}
        onSubmit={(email) => {
          setUnproven(!captcha.ready);
          if (captcha.ready) resend.mutate({ email, captcha: captcha.take() });
        }}
      >
        {captcha.widget}
      </EmailForm>
    </section>
  );
}
