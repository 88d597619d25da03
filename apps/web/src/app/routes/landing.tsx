import { Link } from 'react-router';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';
import { useSession } from '@/lib/services.ts';

export function Component() {
  const session = useSession();
  return (
    <SiteLayout>
      <title>Cellfolio</title>
      <div className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center gap-6 px-6 py-16">
        <h1 className="text-5xl font-semibold tracking-tight">Cellfolio</h1>
        <p className="text-muted text-xl text-pretty">
          Explore single-cell RNA data: open a dataset and see any gene on it in well under a second.
        </p>
        <div className="flex gap-3">
          <Button asChild size="lg">
            <Link to="/dataset-selector">Browse datasets</Link>
          </Button>
          {session.status === 'signed-out' && (
            <Button asChild size="lg" variant="secondary">
              <Link to="/auth">Sign in</Link>
            </Button>
          )}
        </div>
      </div>
    </SiteLayout>
  );
}
