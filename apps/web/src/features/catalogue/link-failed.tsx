import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';

/** The page is where the links of mails lead: one that failed says why, and the way to another. */
export function LinkFailed({ reason, signedIn }: { reason: string; signedIn: boolean }) {
  return (
    <Alert variant="danger" role="alert" className="mb-4">
      <p className="wrap-anywhere">
        {reason.replace(/\.?$/, '.')}{' '}
        {!signedIn && (
          <>
            <Link to="/auth/confirm" className="rounded font-medium underline underline-offset-4">
              Confirm your email address
            </Link>{' '}
            by code, or have a new mail sent.
          </>
        )}
      </p>
    </Alert>
  );
}
