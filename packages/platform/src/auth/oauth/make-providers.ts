import type { IdentityProviderSettings } from '../../settings/identity-provider-settings.ts';
import { GithubProvider } from './github-provider.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { OpenIdProvider } from './openid-provider.ts';

/** The providers of the settings by name; nothing is asked of them yet. */
export function makeProviders(
  settings: readonly IdentityProviderSettings[],
): ReadonlyMap<string, IdentityProvider> {
  return new Map(
    settings.map((one) => [
      one.name,
      one.kind === 'github' ? new GithubProvider(one) : new OpenIdProvider(one),
    ]),
  );
}
