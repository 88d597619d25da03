import type { PublicConfig } from '@cellfolio/contract';
import { publicConfig } from '@cellfolio/contract';

/** Addresses in the settings may be relative to the page ("" or "/" for the same origin); these are absolute. */
export async function loadPublicConfig(): Promise<PublicConfig> {
  const response = await fetch('/config.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The settings of this server could not be read (${response.status}).`);
  return withAbsoluteUrls(publicConfig.parse(await response.json()), location.origin);
}

export function withAbsoluteUrls(config: PublicConfig, origin: string): PublicConfig {
  const absolute = (url: string) => new URL(url === '' ? '/' : url, origin).href.replace(/\/$/, '');
  return { ...config, supabaseUrl: absolute(config.supabaseUrl), analysisUrl: absolute(config.analysisUrl) };
}
