import { Link } from 'react-router';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';

function AccountDeletedPage() {
  return (
    <SiteLayout>
      <title>Account deleted · Cellfolio</title>
      <meta name="robots" content="noindex" />
      <div className="mx-auto flex min-h-[60dvh] max-w-6xl flex-col items-start justify-center gap-4 px-5 py-16 md:px-8">
        <h1 className="text-display font-semibold">Your account is deleted</h1>
        <p className="text-lead text-muted max-w-prose">
          You are signed out, and your files, datasets and saved items are deleted. Backups and logs of this
          server remain until its operator deletes them, messages from the contact page for up to a year, and
          invoices at the payment provider.
        </p>
        <Button asChild variant="secondary" className="mt-2">
          <Link to="/">Return to Home</Link>
        </Button>
      </div>
    </SiteLayout>
  );
}

export { AccountDeletedPage as Component };
