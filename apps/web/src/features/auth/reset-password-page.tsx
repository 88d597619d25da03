import { whenStarted } from '@/components/when-started.tsx';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { AuthShell, QuietLink, useCarriedEmail } from './auth-shell.tsx';
import { Failure } from './form-parts.tsx';
import { MailedCodeForm } from './code-form.tsx';
import { NewPasswordForm } from './password-form.tsx';
import { SecondStepPage } from './second-step-page.tsx';
import { authLinkError } from '@/lib/auth-answer.ts';

/** The target of a recovery link, which has signed the user in or failed. */
function ResetPasswordPage() {
  const linkError = authLinkError(useLocation().hash);
  const session = useSession();
  const carried = useCarriedEmail();
  const [done, setDone] = useState(false);

  if (session.status === 'signed-out' && session.secondStep !== undefined) {
    return <SecondStepPage secondStep={session.secondStep} />;
  }
  if (session.status === 'loading') {
    return (
      <AuthShell title="Reset your password" heading="Choose a new password">
        <p role="status" className="text-muted flex items-center justify-center gap-2">
          <Spinner />
          Loading...
        </p>
      </AuthShell>
    );
  }
  if (session.status === 'signed-in') {
    return (
      <AuthShell
        title="Reset your password"
        heading="Choose a new password"
        lead={`For ${session.user.email}`}
        footer={!done && <QuietLink to="/dataset-selector">Keep the current password</QuietLink>}
      >
        {done ? (
          <>
            <Alert variant="success" role="status">
              <CircleCheck aria-hidden />
              Password updated successfully!
            </Alert>
            <Button asChild>
              <Link to="/dataset-selector">Browse Datasets</Link>
            </Button>
          </>
        ) : (
          <NewPasswordForm onDone={() => setDone(true)} />
        )}
      </AuthShell>
    );
  }
  return (
    <AuthShell
      title="Reset your password"
      heading="Reset your password"
      lead={
        linkError === null
          ? 'Open the link in the email we sent, or enter its six-digit code here.'
          : 'Request a new link, or enter the six-digit code from the latest email.'
      }
    >
      {linkError !== null && <Failure>{linkError}</Failure>}
      <MailedCodeForm type="recovery" initialEmail={carried} label="Continue" busyLabel="Checking..." />
      <Button asChild variant={linkError === null ? 'ghost' : 'secondary'} size="sm">
        <Link to="/auth/forgot-password" state={{ email: carried }}>
          Send a new link
        </Link>
      </Button>
    </AuthShell>
  );
}

export const Component = whenStarted(ResetPasswordPage);
