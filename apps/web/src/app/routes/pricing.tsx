import { CircleAlert } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';

/** Where an ended trial leads. Plans cannot be bought here yet, and the page says so. */
export function Component() {
  const [params] = useSearchParams();
  return (
    <SiteLayout>
      <title>Pricing · Cellfolio</title>
      <div className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center gap-4 p-6">
        <h1 className="text-2xl font-semibold tracking-tight">Pricing</h1>
        {params.get('trial_expired') === 'true' && (
          <Alert variant="danger" role="alert">
            <CircleAlert aria-hidden />
            Your 7-day free trial has expired. Please upgrade to continue using the platform.
          </Alert>
        )}
        <p className="text-muted">
          Plans cannot be bought on this page yet. Ask whoever runs this server to give your account one.
        </p>
        <Button asChild variant="secondary" className="self-start">
          <Link to="/dataset-selector">Browse Datasets</Link>
        </Button>
      </div>
    </SiteLayout>
  );
}
