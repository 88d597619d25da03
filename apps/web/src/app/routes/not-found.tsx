import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';

export function Component() {
  const { pathname } = useLocation();
  useEffect(() => console.warn(`404: there is no page at ${pathname}`), [pathname]);
  return (
    <SiteLayout>
      <title>Page not found · Cellfolio</title>
      <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
        <h1 className="text-6xl font-semibold tracking-tight">404</h1>
        <p className="text-muted text-lg">Oops! Page not found</p>
        <Button asChild variant="secondary" className="mt-3">
          <Link to="/">Return to Home</Link>
        </Button>
      </div>
    </SiteLayout>
  );
}
