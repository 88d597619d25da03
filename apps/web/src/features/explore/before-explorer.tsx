import { MonitorUp } from 'lucide-react';
import { Link } from 'react-router';
import { NoticePage, NoticeText } from '@/components/explorer-notice.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useHydrated, useMediaQuery } from '@/lib/use-browser.ts';

/** Below this width the explorer needs a desktop; boot.js and theme.css know it too. */
const desktopWidth = 768;
const narrowPage = `(max-width: ${desktopWidth - 0.02}px)`;

/** Zoom makes the page narrow, not the screen: the window keeps its width. */
export function useSmallWindow(): boolean {
  const narrow = useMediaQuery(narrowPage);
  return narrow && window.outerWidth < desktopWidth;
}

/**
 * The explorer before the services have started, or before it is known who asks. Rendered when the site is built, the
 * page is for any window: it holds both texts, and the style sheet shows the one that fits.
 */
export function BeforeExplorer() {
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
      text="The explorer needs a wider screen: figures and controls stand side by side. Open this page on a desktop computer."
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
