import type { PublicConfig } from '@cellfolio/contract';

type SignIn = NonNullable<PublicConfig['signIn']>;
export type CaptchaSettings = NonNullable<SignIn['captcha']>;

/** How people may sign in besides by address and password. */
export interface SignInWays {
  providers: SignIn['providers'];
  /** Authenticator apps may be set up as a second step. */
  authenticatorApps: boolean;
  captcha: CaptchaSettings | null;
}

/** The ways that the settings name; a server that names none has none but authenticator apps. */
export function signInWays({ signIn }: PublicConfig): SignInWays {
  return {
    providers: signIn?.providers ?? [],
    authenticatorApps: signIn?.authenticatorApps ?? true,
    captcha: signIn?.captcha ?? null,
  };
}
