import { whenStarted } from '@/components/when-started.tsx';
import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer, captchaOption, resetPage } from './auth-calls.ts';
import { AuthShell, useCarriedEmail } from './auth-shell.tsx';
import { EmailForm } from './form-parts.tsx';
import { useCaptcha } from './captcha.tsx';

/** Sends a password reset link. The page does not reveal whether the account exists. */
function ForgotPasswordPage() {
  const { auth } = useServices();
  const carried = useCarriedEmail();
  const captcha = useCaptcha();
  const [unproven, setUnproven] = useState(false);
  const recover = useMutation({
    mutationFn: (email: string) =>
      authAnswer(() =>
        auth.resetPasswordForEmail(email, {
          redirectTo: resetPage(),
          ...captchaOption(captcha.take()).options,
        }),
      ),
  });
  return (
    <AuthShell
      title="Reset your password"
      heading="Reset your password"
      lead="We email you a link to choose a new one."
    >
      {recover.isSuccess ? (
        <>
          <Alert variant="success" role="status">
            <MailCheck aria-hidden />
            <div className="min-w-0 wrap-anywhere">
              If there is an account for {recover.variables}, a link is on its way. It works once, for a
              limited time. Check your spam folder too.
            </div>
          </Alert>
          <Button asChild variant="secondary">
            <Link to="/auth/reset-password" state={{ email: recover.variables }}>
              Enter the code from the email
            </Link>
          </Button>
          <Button variant="ghost" size="sm" className="self-center" onClick={() => recover.reset()}>
            Send it again
          </Button>
        </>
      ) : (
        <EmailForm
          initialEmail={recover.variables ?? carried}
          label="Send reset link"
          busyLabel="Sending..."
          busy={recover.isPending}
          error={recover.error?.message ?? (unproven ? 'Please complete the check below first.' : undefined)}
          onSubmit={(email) => {
            setUnproven(!captcha.ready);
            if (captcha.ready) recover.mutate(email);
          }}
        >
          {captcha.widget}
        </EmailForm>
      )}
    </AuthShell>
  );
}

export const Component = whenStarted(ForgotPasswordPage);
