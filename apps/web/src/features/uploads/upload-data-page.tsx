import { whenStarted } from '@/components/when-started.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { JobsCard } from './jobs/jobs-card.tsx';
import { isProfessional, useSubscription } from '@/features/billing/index.ts';
import { InfoCards } from './info-cards.tsx';
import { UploadCard } from './upload-card.tsx';
import { YourFilesCard } from './your-files-card.tsx';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/explorer', label: 'Explorer' },
] as const;

function UploadDataPage() {
  return (
    <SignedInPage
      title="Upload Data"
      lead={() => 'Upload custom data for single cell analysis'}
      links={links}
      intro={<InfoCards />}
    >
      {({ id }) => <OwnData userId={id} />}
    </SignedInPage>
  );
}

function OwnData({ userId }: { userId: string }) {
  const plan = useSubscription();
  // The server decides; where the plan is not known, it is asked.
  const allowed = isProfessional(plan) || plan.loading || plan.failed;
  return (
    <>
      <ErrorBoundary region="The upload form">
        <UploadCard userId={userId} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of your files">
        <YourFilesCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of jobs">
        <JobsCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
    </>
  );
}

export const Component = whenStarted(UploadDataPage);
