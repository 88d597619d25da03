import { DatabaseZap, MonitorUp } from 'lucide-react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { useMediaQuery } from '@/lib/use-media-query.ts';
import { DatasetExplorer } from './dataset-explorer.tsx';
import { ExplorerNotice } from './explorer-notice.tsx';

/** Below this width the explorer needs a desktop. */
const smallScreen = '(max-width: 767.98px)';

export function ExplorerPage() {
  const session = useSession();
  const [params] = useSearchParams();
  const small = useMediaQuery(smallScreen);
  const dataset = params.get('dataset') ?? '';
  const disease = params.get('disease') ?? '';

  if (session.status === 'loading') {
    return (
      <ExplorerNotice
        role="status"
        icon={<Spinner />}
        title="Authenticating"
        text="Checking who is signed in..."
      />
    );
  }
  if (session.status === 'signed-out') return <Navigate to="/auth" replace />;
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
        text="Select a dataset to see its cells and genes. Uploading your own data is not available yet."
      >
        <Button asChild>
          <Link to="/dataset-selector">Select Dataset</Link>
        </Button>
        <Button variant="secondary" disabled>
          Upload Your Data
        </Button>
      </ExplorerNotice>
    );
  }
  return <DatasetExplorer key={`${disease}\n${dataset}`} disease={disease} filename={dataset} />;
}
