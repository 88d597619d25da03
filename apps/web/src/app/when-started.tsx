import type { ComponentType } from 'react';
import { use } from 'react';
import { ServicesContext } from '@/lib/services.ts';
import { PageLoading } from './page-loading.tsx';

/** A page of the tool, and what stands in its place until the services have started. */
export function whenStarted(Page: ComponentType, Before: ComponentType = PageLoading): ComponentType {
  return function WhenStarted() {
    return use(ServicesContext) === null ? <Before /> : <Page />;
  };
}
