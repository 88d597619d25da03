import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmailForm } from './email-form.tsx';
import { useCaptcha } from './use-captcha.tsx';
import { useResend } from './use-resend.ts';

/** Has the confirmation sent again to an address that is asked for. */
export function ResendForm({ initialEmail }: { initialEmail: string }) {
  const [open, setOpen] = useState(false);
  const [unproven, setUnproven] = useState(false);
  const captcha = useCaptcha();
  const resend = useResend();
  if (resend.isSuccess) {
    return (
      <Alert variant="success" role="status">
        <MailCheck aria-hidden />
        If this address waits for a confirmation, a new mail is on its way.
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
