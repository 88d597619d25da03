import type { QueryClient } from '@tanstack/react-query';
import { loadPublicConfig } from '@/config/load-public-config.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import type { Services } from '@/lib/services.ts';
import { createServices } from './create-services.ts';

/** What the pages of the tool stand on; one of each for as long as the tab lives. */
export interface StartedServices {
  services: Services;
  queryClient: QueryClient;
}

/** Rejects when the server does not give its settings. */
export async function startServices(): Promise<StartedServices> {
  return { services: createServices(await loadPublicConfig()), queryClient: createQueryClient() };
}
