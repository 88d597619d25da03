import { MailCheck } from 'lucide-react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { CaptchaState } from './use-captcha.tsx';
import { Failure } from './failure.tsx';
import { useResend } from './use-resend.ts';

/** What to do while a confirmation is awaited: have the mail sent again, or type its code. */
export function ResendConfirmation({ email, captcha }: { email: string; captcha: CaptchaState }) {
  const resend = useResend();
  return (
    <div className="flex flex-col gap-3">
      {resend.isSuccess && (
        <Alert variant="success" role="status">
          <MailCheck aria-hidden />
          The mail was sent again. It can take a minute; look among unwanted mail too.
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
