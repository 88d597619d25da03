import { Link, Navigate } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { HeaderLink } from '@/components/header-link.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { ApiKeysCard } from './api-keys-card.tsx';
import { ChangePasswordCard } from './change-password-card.tsx';
import { ConnectedAccountsCard } from './connected-accounts-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SubscriptionCard } from './subscription-card.tsx';

export function AccountPage() {
  const session = useSession();
  if (session.status === 'signed-out') return <Navigate to="/auth" replace />;
  return (
    <div className="flex min-h-dvh flex-col">
      <title>Account Settings · Cellfolio</title>
      <AppHeader>
        {/* A phone has no room for them beside the logo. */}
        <div className="flex gap-4 max-sm:hidden">
          <PageLinks />
        </div>
      </AppHeader>
      <main className="mx-auto w-full max-w-2xl flex-1 px-4 py-6 lg:py-8">
        <div className="mb-5 flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
          <div className="min-w-0">
            <h1 className="text-xl font-semibold tracking-tight">Account Settings</h1>
            <p className="text-muted min-h-5.25 wrap-anywhere">
              {session.status === 'signed-in' && session.user.email}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <div className="flex gap-4 sm:hidden">
              <PageLinks />
            </div>
            <Link
              to="/contact"
              className="text-accent rounded text-[13px] underline-offset-4 hover:underline"
            >
              Contact us
            </Link>
          </div>
        </div>
        {session.status === 'loading' ? (
          <p role="status" className="text-muted flex items-center gap-2">
            <Spinner />
            Loading...
          </p>
        ) : (
          // Another account is another page: nothing that was typed or shown for one stays for the next.
          <div key={session.user.id} className="flex flex-col gap-4">
            <ErrorBoundary region="The subscription">
              <SubscriptionCard />
            </ErrorBoundary>
            <ErrorBoundary region="Change Password">
              <ChangePasswordCard email={session.user.email} />
            </ErrorBoundary>
            <ErrorBoundary region="Two-step sign-in">
              <SecondStepCard userId={session.user.id} />
            </ErrorBoundary>
            <ErrorBoundary region="The list of connected accounts">
              <ConnectedAccountsCard userId={session.user.id} />
            </ErrorBoundary>
            <ErrorBoundary region="The list of API keys">
              <ApiKeysCard userId={session.user.id} />
            </ErrorBoundary>
            <ErrorBoundary region="Sessions">
              <SessionsCard />
            </ErrorBoundary>
          </div>
        )}
      </main>
    </div>
  );
}

function PageLinks() {
  return (
    <>
      <HeaderLink to="/dataset-selector">Dataset Selector</HeaderLink>
      <HeaderLink to="/upload-data">Upload Data</HeaderLink>
    </>
  );
}
