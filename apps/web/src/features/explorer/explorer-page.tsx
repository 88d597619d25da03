import { DatabaseZap, MonitorUp } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { ToSignIn } from '@/components/to-sign-in.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { useMediaQuery } from '@/lib/use-media-query.ts';
import { customDataset, customDisease, readCustomFile } from './custom-file.ts';
import { DatasetExplorer } from './dataset-explorer.tsx';
import { ExplorerNotice } from './explorer-notice.tsx';
import { ExplorerSkeleton } from './explorer-skeleton.tsx';
import { useTrialRedirect } from './use-trial-redirect.ts';

/** Below this width the explorer needs a desktop. */
const desktopWidth = 768;
const narrowPage = `(max-width: ${desktopWidth - 0.02}px)`;

export function Authenticating() {
  return (
    <ExplorerNotice
      role="status"
      icon={<Spinner />}
      title="Authenticating"
      text="Checking who is signed in..."
    />
  );
}

export function ExplorerPage() {
  const session = useSession();
  const [params] = useSearchParams();
  const narrow = useMediaQuery(narrowPage);
  // Zoom makes the page narrow, not the screen: the window keeps its width.
  const small = narrow && window.outerWidth < desktopWidth;
  const custom = readCustomFile(params);
  const dataset = custom === null ? (params.get('dataset') ?? '') : customDataset(custom);
  const disease = custom === null ? (params.get('disease') ?? '') : customDisease;
  const expired = useTrialRedirect();

  if (session.status === 'loading') return <Authenticating />;
  if (session.status === 'signed-out') return <ToSignIn />;
  if (small) {
    return (
      <ExplorerNotice
        icon={<MonitorUp aria-hidden />}
        title="Desktop Required"
        text="The explorer needs a wider screen: figures and controls stand side by side. Open this page on a desktop computer."
      >
        <Button asChild>
          <Link to="/dataset-selector">Browse Datasets</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/">Return Home</Link>
        </Button>
      </ExplorerNotice>
    );
  }
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
