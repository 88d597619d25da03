import { type UploadKind, uploadKinds } from '@cellfolio/contract';
import { Boxes, Grid3x3, TableProperties } from 'lucide-react';
import type { LucideProps } from 'lucide-react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { isProfessional, useSubscription } from '@/features/billing/index.ts';
import { JobsCard } from './jobs/jobs-card.tsx';
import { LinkCard } from './links/link-card.tsx';
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
      <ErrorBoundary region="The form for links">
        <LinkCard userId={userId} allowed={allowed} />
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

function InfoCards() {
  return (
    <ul
      className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(17rem,1fr))] sm:gap-4"
      aria-label="What can be uploaded"
    >
      {uploadKinds.map((upload) => (
        <InfoCard key={upload.kind} upload={upload} />
      ))}
    </ul>
  );
}

function InfoCard({ upload: { kind, extension, files, hold } }: { upload: UploadKind }) {
  return (
    <li className="bg-surface shadow-card flex items-center gap-3 rounded-lg border px-4 py-3">
      <KindIcon kind={kind} aria-hidden className="text-accent size-5 shrink-0" strokeWidth={1.75} />
      <div className="min-w-0">
        <p className="text-sm font-medium">
          {files} <span className="text-muted font-normal">({extension})</span>
        </p>
        <p className="text-muted text-xs">{hold}</p>
      </div>
    </li>
  );
}

function KindIcon({ kind, ...props }: LucideProps & Pick<UploadKind, 'kind'>) {
  switch (kind) {
    case 'matrix':
      return <Grid3x3 {...props} />;
    case 'metadata':
      return <TableProperties {...props} />;
    default:
      return <Boxes {...props} />;
  }
}

export const Component = whenStarted(UploadDataPage);
