import type { ReactNode } from 'react';
import { Router } from 'react-router';
import type { Location, Navigator } from 'react-router';
import type { PublicServices } from '@/lib/services.ts';
import { PublicServicesContext } from '@/lib/services.ts';

interface PublicAppProps {
  services: PublicServices;
  location: Partial<Location>;
  navigator: Navigator;
  /** The page; see load-public-page.tsx. */
  children: ReactNode;
}

/** One public page by itself, as it is rendered beforehand and taken over in the browser. */
export function PublicApp({ services, location, navigator, children }: PublicAppProps) {
  return (
    <PublicServicesContext value={services}>
      <Router location={location} navigator={navigator}>
        {children}
      </Router>
    </PublicServicesContext>
  );
}
