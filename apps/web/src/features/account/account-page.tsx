import { whenStarted } from '@/components/when-started.tsx';
import { Link } from 'react-router';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { DeleteAccountCard, DownloadDataCard } from './account-data-cards.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { ChangePasswordCard } from './change-password-card.tsx';
import { ConnectedAccountsCard } from './connected-accounts-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SubscriptionCard } from './subscription-card.tsx';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/upload-data', label: 'Upload Data' },
] as const;

function AccountPage() {
  return (
    <SignedInPage
      title="Account Settings"
      lead={(user) => user?.email}
      links={links}
      aside={
        <Link to="/contact" className="text-accent rounded text-[13px] underline-offset-4 hover:underline">
          Contact us
        </Link>
      }
      className="max-w-2xl"
    >
      {({ id, email }) => (
        <>
          <ErrorBoundary region="The subscription">
            <SubscriptionCard />
          </ErrorBoundary>
          <ErrorBoundary region="Change Password">
            <ChangePasswordCard email={email} />
          </ErrorBoundary>
          <ErrorBoundary region="Two-step sign-in">
            <SecondStepCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of connected accounts">
            <ConnectedAccountsCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of API keys">
            <ApiKeysCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="Sessions">
            <SessionsCard />
          </ErrorBoundary>
          <ErrorBoundary region="Your data">
            <DownloadDataCard />
          </ErrorBoundary>
          <ErrorBoundary region="Delete account">
            <DeleteAccountCard userId={id} email={email} />
          </ErrorBoundary>
        </>
      )}
    </SignedInPage>
  );
}

export const Component = whenStarted(AccountPage);
