import { Navigate } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { HeaderLink } from '@/components/header-link.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { JobsCard } from '@/features/jobs/jobs-card.tsx';
import { isProfessional } from '@/features/subscription/subscription.ts';
import { useSubscription } from '@/features/subscription/use-subscription.ts';
import { useSession } from '@/lib/services.ts';
import { InfoCards } from './info-cards.tsx';
import { UploadCard } from './upload-card.tsx';
import { YourFilesCard } from './your-files-card.tsx';

export function UploadDataPage() {
  const session = useSession();
  if (session.status === 'signed-out') return <Navigate to="/auth" replace />;
  return (
    <div className="flex min-h-dvh flex-col">
      <title>Upload Data · Cellfolio</title>
      <AppHeader>
        {/* A phone has no room for them beside the logo. */}
        <div className="flex gap-4 max-sm:hidden">
          <PageLinks />
        </div>
      </AppHeader>
      <main className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-4 px-4 py-6 lg:py-8">
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
          <div>
            <h1 className="text-xl font-semibold tracking-tight">Upload Data</h1>
            <p className="text-muted">Upload custom data for single cell analysis</p>
          </div>
          <div className="flex gap-4 sm:hidden">
            <PageLinks />
          </div>
        </div>
        <InfoCards />
        {session.status === 'loading' ? (
          <p role="status" className="text-muted flex items-center gap-2">
            <Spinner />
            Loading...
          </p>
        ) : (
          // Another account is another page: nothing that was chosen or shown for one stays for the next.
          <OwnData key={session.user.id} userId={session.user.id} />
        )}
      </main>
    </div>
  );
}

function OwnData({ userId }: { userId: string }) {
  const plan = useSubscription();
  // The server decides; where the plan is not known, it is asked.
  const allowed = isProfessional(plan) || plan.loading || plan.failed;
  return (
    <div className="flex flex-col gap-4">
      <ErrorBoundary region="The upload form">
        <UploadCard userId={userId} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of your files">
        <YourFilesCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of jobs">
        <JobsCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
    </div>
  );
}

function PageLinks() {
  return (
    <>
      <HeaderLink to="/dataset-selector">Dataset Selector</HeaderLink>
      <HeaderLink to="/explorer">Explorer</HeaderLink>
    </>
  );
}
