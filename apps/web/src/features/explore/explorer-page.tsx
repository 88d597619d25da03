import { DatabaseZap } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { ExplorerNotice } from '@/components/explorer-notice.tsx';
import { ToSignIn } from '@/components/to-sign-in.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { Button } from '@/components/ui/button.tsx';
import { useSession } from '@/lib/services.ts';
import { BeforeExplorer, useSmallWindow } from './before-explorer.tsx';
import { customDataset, customDisease, readCustomFile } from './custom-file.ts';
import { DatasetExplorer } from './dataset-explorer.tsx';
import { ExplorerSkeleton } from './explorer-skeleton.tsx';
import { useTrialRedirect } from './use-trial-redirect.ts';

function ExplorerPage() {
  const session = useSession();
  const [params] = useSearchParams();
  const small = useSmallWindow();
  const custom = readCustomFile(params);
  const dataset = custom === null ? (params.get('dataset') ?? '') : customDataset(custom);
  const disease = custom === null ? (params.get('disease') ?? '') : customDisease;
  const expired = useTrialRedirect();

  if (small || session.status === 'loading') return <BeforeExplorer />;
  if (session.status === 'signed-out') return <ToSignIn />;
  if (dataset === '') {
    return (
      <ExplorerNotice
        icon={<DatabaseZap aria-hidden />}
        title="No Dataset Selected"
        text="Select a dataset of the catalogue, or upload your own, to see its cells and genes."
      >
        <Button asChild>
          <Link to="/dataset-selector">Select Dataset</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/upload-data">Upload Your Data</Link>
        </Button>
      </ExplorerNotice>
    );
  }
  if (expired) return <ExplorerSkeleton disease={disease} dataset={custom?.name ?? dataset} />;
  return (
    <DatasetExplorer key={`${disease}\n${dataset}`} disease={disease} filename={dataset} custom={custom} />
  );
}

export const Component = whenStarted(ExplorerPage, BeforeExplorer);
