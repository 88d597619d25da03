import type { PublicConfig } from '@cellfolio/contract';

export interface CaptchaSettings {
  provider: 'hcaptcha' | 'turnstile';
  siteKey: string;
}

/** How people may sign in besides by address and password. */
export interface SignInWays {
  providers: readonly { name: string; label: string }[];
  /** Authenticator apps may be set up as a second step. */
  authenticatorApps: boolean;
  captcha: CaptchaSettings | null;
}

/** The ways that the settings name; a server that names none has none but authenticator apps. */
export function signInWays(config: PublicConfig): SignInWays {
  const { signIn } = config as PublicConfig & { signIn?: Partial<SignInWays> };
  return {
    providers: signIn?.providers ?? [],
    authenticatorApps: signIn?.authenticatorApps ?? true,
    captcha: signIn?.captcha ?? null,
  };
}
