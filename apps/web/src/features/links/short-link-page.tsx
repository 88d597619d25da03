import { whenStarted } from '@/components/when-started.tsx';
import type { OpenedLink } from '@cellfolio/contract';
import { openedLink } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Link2, Link2Off } from 'lucide-react';
import { Link, Navigate, useParams } from 'react-router';
import { ExplorerNotice } from '@/components/explorer-notice.tsx';
import { ToSignIn } from '@/components/signed-in-page.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { useServices, useSession } from '@/lib/services.ts';

/** `/l/<id>`: redirects to the explorer view of the link. */
function ShortLinkPage() {
  const { api } = useServices();
  const session = useSession();
  const { linkId = '' } = useParams();
  const link = useQuery({
    queryKey: ['short-link', linkId],
    queryFn: ({ signal }) =>
      api({ path: `/api/links/${encodeURIComponent(linkId)}`, answer: openedLink, signal }),
    enabled: session.status === 'signed-in',
  });
  if (session.status === 'signed-out') return <ToSignIn />;
  // The answer was checked to be an address of the explorer.
  if (link.isSuccess) return <Navigate to={openedAddress(link.data)} replace />;
  if (!link.isError) {
    return (
      <ExplorerNotice role="status" icon={<Spinner />} title="Opening Link" text="Looking up the view..." />
    );
  }
  const unknown = link.error instanceof ApiRefusal && link.error.status === 404;
  return (
    <ExplorerNotice
      role="alert"
      icon={unknown ? <Link2Off aria-hidden /> : <Link2 aria-hidden />}
      title={unknown ? 'Link Not Found' : 'Link Not Opened'}
      text={
        unknown
          ? 'This link has no view. It may be incomplete or deleted: links expire a year after they were last opened, or when their owner has made many newer ones. Ask for a new one.'
          : link.error.message
      }
    >
      {!unknown && <Button onClick={() => void link.refetch()}>Try again</Button>}
      <Button asChild variant={unknown ? 'primary' : 'secondary'}>
        <Link to="/dataset-selector">Select Dataset</Link>
      </Button>
    </ExplorerNotice>
  );
}

/** The explorer finds another user's subsets and labels by the id of the link. */
function openedAddress({ id, address, subsets, labels }: OpenedLink): string {
  return (subsets.length === 0 && labels.length === 0) || /[?&]link=/.test(address)
    ? address
    : `${address}&link=${id}`;
}

export const Component = whenStarted(ShortLinkPage);
