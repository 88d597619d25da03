import { publicConfig } from '@cellfolio/contract';
import type { PublicConfig } from '@cellfolio/contract';
import { createApiClient } from '@/lib/api-client.ts';
import { authLinkError } from '@/lib/auth-answer.ts';
import { createAuthClient } from '@/lib/auth-client.ts';
import { createBackend } from '@/lib/backend.ts';
import { endLostSession } from '@/lib/end-lost-session.ts';
import { createProviderAuth } from '@/lib/provider-auth.ts';
import type { Services } from '@/lib/services.ts';
import { sessionId } from '@/lib/session-id.ts';
import { createSessionStore } from '@/lib/session-store.ts';

/** Rejects if the settings cannot be loaded. */
export async function startServices(): Promise<Services> {
  return createServices(await loadPublicConfig());
}

/**
 * Connects the pages to the servers in the settings. Of the Supabase client only authentication is loaded here; tables,
 * files and functions follow on first use, and live channels never.
 */
function createServices(config: PublicConfig): Services {
  // Read before the client clears the address.
  const linkError = authLinkError(location.hash);
  const auth = createAuthClient(config);
  let providerAuth: ReturnType<typeof createProviderAuth> | null = null;
  const accessToken = async () => (await auth.getSession()).data.session?.access_token ?? null;
  const calls = { analysisUrl: config.analysisUrl, apiKey: config.apiKey, sessionId };
  return {
    config,
    auth,
    providerAuth: () => (providerAuth ??= createProviderAuth(config)),
    linkError,
    session: createSessionStore(auth),
    api: createApiClient({ ...calls, accessToken, onTokenRefused: endLostSession(auth) }),
    visitorApi: createApiClient({
      ...calls,
      accessToken: async () => null,
      demoDataset: config.demoDataset,
    }),
    ...createBackend({ config, accessToken }),
  };
}

/** Addresses in the settings may be relative to the page ("" or "/" for the same origin); these are absolute. */
async function loadPublicConfig(): Promise<PublicConfig> {
  const response = await fetch('/config.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The settings of this server could not be read (${response.status}).`);
  return withAbsoluteUrls(publicConfig.parse(await response.json()), location.origin);
}

function withAbsoluteUrls(config: PublicConfig, origin: string): PublicConfig {
  const absolute = (url: string) => new URL(url === '' ? '/' : url, origin).href.replace(/\/$/, '');
  return { ...config, supabaseUrl: absolute(config.supabaseUrl), analysisUrl: absolute(config.analysisUrl) };
}
