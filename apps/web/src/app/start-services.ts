import { loadPublicConfig } from '@/config/load-public-config.ts';
import type { Services } from '@/lib/services.ts';
import { createServices } from './create-services.ts';

/** Rejects when the server does not give its settings. */
export async function startServices(): Promise<Services> {
  return createServices(await loadPublicConfig());
}
