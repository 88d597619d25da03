import type { ComponentType } from 'react';
import { use } from 'react';
import { Spinner } from './ui/spinner.tsx';
import { ServicesContext } from '@/lib/services.ts';

export function whenStarted(Page: ComponentType, Before: ComponentType = PageLoading): ComponentType {
  return function WhenStarted() {
    return use(ServicesContext) === null ? <Before /> : <Page />;
  };
}

export function PageLoading() {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <p role="status" className="text-muted animate-appear-late flex items-center gap-2">
        <Spinner />
        Loading...
      </p>
    </main>
  );
}
