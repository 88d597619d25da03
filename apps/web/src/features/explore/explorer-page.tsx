import { useQueryClient } from '@tanstack/react-query';
import { DatabaseZap, MonitorUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ExplorerNotice, NoticePage, NoticeText } from '@/components/explorer-notice.tsx';
import { ToSignIn } from '@/components/signed-in-page.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useSubscription } from '@/features/billing/index.ts';
import { isTrialExpired } from '@/lib/call-failure.ts';
import { useSession } from '@/lib/services.ts';
import { trialExpiredText } from '@/lib/trial-length.ts';
import { useHydrated, useMediaQuery } from '@/lib/use-browser.ts';
import { DatasetExplorer, ExplorerSkeleton } from './dataset-explorer.tsx';
import { customDataset, customDisease, readCustomFile } from './open-dataset.tsx';

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
        text="Select a dataset from the catalog, or upload your own, to see its cells and genes."
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
/** Below this width the explorer needs a desktop; also defined in boot.js and theme.css. */
const desktopWidth = 768;
const narrowPage = `(max-width: ${desktopWidth - 0.02}px)`;

/** Zoom narrows the page, not the screen: the window keeps its width. */
function useSmallWindow(): boolean {
  const narrow = useMediaQuery(narrowPage);
  return narrow && window.outerWidth < desktopWidth;
}

/**
 * The explorer before the services have started, or before the session is known. The prerendered page must fit any
 * window: it contains both texts, and the style sheet shows the matching one.
 */
function BeforeExplorer() {
  const small = useSmallWindow();
  const hydrated = useHydrated();
  return (
    <NoticePage>
      {(!hydrated || small) && (
        <div className={hydrated ? 'contents' : 'small-window:contents hidden'}>
          <DesktopRequired />
        </div>
      )}
      {(!hydrated || !small) && (
        <div className={hydrated ? 'contents' : 'small-window:hidden contents'}>
          <Authenticating />
        </div>
      )}
    </NoticePage>
  );
}

function Authenticating() {
  return (
    <NoticeText role="status" icon={<Spinner />} title="Authenticating" text="Checking who is signed in..." />
  );
}

function DesktopRequired() {
  return (
    <NoticeText
      icon={<MonitorUp aria-hidden />}
      title="Desktop Required"
      text="The explorer shows figures and controls side by side and needs a wider screen. Open this page on a desktop computer."
    >
      <Button asChild>
        <Link to="/dataset-selector">Browse Datasets</Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/">Return Home</Link>
      </Button>
    </NoticeText>
  );
}

/**
 * Redirects a user whose trial has ended to the plans, with a notice: on load, or when the server refuses a call.
 * @returns whether the trial has ended
 */
function useTrialRedirect(): boolean {
  const subscription = useSubscription();
  const refused = useRefusedForTrial();
  const navigate = useNavigate();
  const expired = subscription.trialExpired || refused;
  useEffect(() => {
    if (!expired) return;
    toast.error('Free Trial Expired', {
      // Both effects of one refusal show one notice.
      id: 'trial-expired',
      description: trialExpiredText(),
    });
    void navigate('/pricing?trial_expired=true', { replace: true });
  }, [expired, navigate]);
  return expired;
}

/** Whether a call of this page was refused because the trial has ended. */
function useRefusedForTrial(): boolean {
  const client = useQueryClient();
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const look = (error: unknown) => isTrialExpired(error) && setRefused(true);
    const stops = [
      client.getQueryCache().subscribe(({ query }) => look(query.state.error)),
      client.getMutationCache().subscribe(({ mutation }) => look(mutation?.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  return refused;
}
