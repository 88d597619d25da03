import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';

function NotFoundPage() {
  const { pathname } = useLocation();
  useEffect(() => console.warn(`404: there is no page at ${pathname}`), [pathname]);
  return (
    <SiteLayout>
      <title>Page not found · Cellfolio</title>
      <meta name="robots" content="noindex" />
      <div className="mx-auto flex min-h-[60dvh] max-w-6xl flex-col items-start justify-center gap-4 px-5 py-16 md:px-8">
        <h1 className="text-display font-semibold">404</h1>
        <p className="text-lead text-muted">Oops! Page not found</p>
        <Button asChild variant="secondary" className="mt-2">
          <Link to="/">Return to Home</Link>
        </Button>
      </div>
    </SiteLayout>
  );
}

export { NotFoundPage as Component };
