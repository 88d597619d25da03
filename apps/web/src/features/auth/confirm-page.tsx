import { whenStarted } from '@/components/when-started.tsx';
import type { EmailOtpType } from '@supabase/auth-js';
import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useServices, useSession } from '@/lib/services.ts';
import { authAnswer } from './auth-calls.ts';
import { AuthShell, useCarriedEmail } from './auth-shell.tsx';
import { Failure } from './form-parts.tsx';
import { MailedCodeForm } from './code-form.tsx';
import { ResendForm } from './resend-confirmation.tsx';
import { SecondStepPage } from './second-step-page.tsx';
import { authLinkError } from '@/lib/auth-answer.ts';

const types: readonly EmailOtpType[] = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'];

/**
 * Confirms an address by the secret in a link of the form `?token_hash=…&type=…`, or by the code in the mail. The link
 * is used only on a click, because mail scanners open links too and would use it up.
 */
function ConfirmPage() {
  const linkError = authLinkError(useLocation().hash);
  const session = useSession();
  const [params] = useSearchParams();
  const tokenHash = params.get('token_hash');
  const type = types.find((candidate) => candidate === params.get('type'));

  if (session.status === 'signed-out' && session.secondStep !== undefined) {
    return <SecondStepPage secondStep={session.secondStep} />;
  }
  if (tokenHash !== null && type !== undefined) return <ConfirmLink tokenHash={tokenHash} type={type} />;
  if (session.status === 'signed-in') return <Navigate to="/dataset-selector" replace />;
  return <ConfirmByCode problem={linkError} />;
}

function ConfirmLink({ tokenHash, type }: { tokenHash: string; type: EmailOtpType }) {
  const { auth } = useServices();
  const verify = useMutation({
    mutationFn: () => authAnswer(() => auth.verifyOtp({ token_hash: tokenHash, type })),
  });
  if (verify.isError) return <ConfirmByCode problem={verify.error.message} type={type} />;
  if (verify.isSuccess && verify.data.session !== null) {
    return <Navigate to={type === 'recovery' ? '/auth/reset-password' : '/dataset-selector'} replace />;
  }
  return (
    <AuthShell title="Confirm your email address" heading="Confirm your email address">
      {verify.isSuccess ? (
        // An address is changed from both mailboxes.
        <Alert variant="success" role="status">
          <MailCheck aria-hidden />
          Thank you. Please also open the link sent to the other address.
        </Alert>
      ) : (
        <Button aria-disabled={verify.isPending} onClick={() => !verify.isPending && verify.mutate()}>
          {verify.isPending && <Spinner />}
          {verify.isPending ? 'Confirming...' : 'Confirm'}
        </Button>
      )}
    </AuthShell>
  );
}

function ConfirmByCode({ problem, type = 'signup' }: { problem: string | null; type?: EmailOtpType }) {
  const carried = useCarriedEmail();
  return (
    <AuthShell
      title="Confirm your email address"
      heading="Confirm your email address"
      lead={
        problem === null
          ? 'Open the link in the email we sent, or enter its six-digit code here.'
          : 'Enter the six-digit code from the latest email, or request a new one.'
      }
    >
      {problem !== null && <Failure>{problem}</Failure>}
      <MailedCodeForm type={type} initialEmail={carried} label="Confirm" busyLabel="Confirming..." />
      {type === 'recovery' ? (
        <Button asChild variant="secondary" size="sm">
          <Link to="/auth/forgot-password">Send a new link</Link>
        </Button>
      ) : (
        <ResendForm initialEmail={carried} />
      )}
    </AuthShell>
  );
}

export const Component = whenStarted(ConfirmPage);
