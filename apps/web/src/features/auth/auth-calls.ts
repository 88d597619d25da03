import type { PublicConfig } from '@cellfolio/contract';
import { isAuthError, isAuthRetryableFetchError } from '@supabase/auth-js';
import { useMutation } from '@tanstack/react-query';
import { usePublicServices, useServices } from '@/lib/services.ts';
import type { Credentials } from './credentials.ts';

/** The authentication service refused; the message is its own, or the page's fallback. */
export class AuthRefused extends Error {
  override readonly name = 'AuthRefused';
  /** The service's error code, such as `email_not_confirmed`; empty if it gave none. */
  readonly code: string;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = isAuthError(cause) && typeof cause.code === 'string' ? cause.code : '';
  }
}

type AnswerData<Answer> = Answer extends { data: infer Data; error: null } ? Data : never;

/** Runs a call of the authentication client. Throws {@link AuthRefused} with the message to show. */
export async function authAnswer<Answer extends { data: unknown; error: unknown }>(
  call: () => Promise<Answer>,
  fallback = 'Something went wrong. Please try again.',
): Promise<AnswerData<Answer>> {
  try {
    const { data, error } = await call();
    if (error) throw error;
    return data as AnswerData<Answer>;
  } catch (cause) {
    throw new AuthRefused(serviceMessage(cause, fallback), cause);
  }
}

/**
 * The message of the authentication service, or the fallback if it sent none: a failed connection surfaces with the
 * browser's words, an outage with an empty message or the literal `{}`.
 */
function serviceMessage(error: unknown, fallback: string): string {
  if (!isAuthError(error) || isAuthRetryableFetchError(error) || error.name === 'AuthUnknownError') {
    return fallback;
  }
  const message = error.message.trim();
  return message === '' || message === '{}' ? fallback : message;
}

/** The captcha token as a call option; empty without a captcha. */
export function captchaOption(captcha: string | undefined): { options?: { captchaToken: string } } {
  return captcha === undefined ? {} : { options: { captchaToken: captcha } };
}

function confirmedPage(): string {
  return `${location.origin}/dataset-selector`;
}

export function resetPage(): string {
  return `${location.origin}/auth/reset-password`;
}

/** The redirect URL for providers; `next` is the path to continue to. */
export function callbackPage(next?: string): string {
  const page = new URL('/auth/callback', location.origin);
  if (next !== undefined) page.searchParams.set('next', next);
  return page.href;
}

type SignIn = NonNullable<PublicConfig['signIn']>;
export type CaptchaSettings = NonNullable<SignIn['captcha']>;

interface SignInWays {
  providers: SignIn['providers'];
  /** Authenticator apps may be set up as a second step. */
  authenticatorApps: boolean;
  captcha: CaptchaSettings | null;
}

/** The methods in the settings; default: authenticator apps only. */
export function signInWays({ signIn }: PublicConfig): SignInWays {
  return {
    providers: signIn?.providers ?? [],
    authenticatorApps: signIn?.authenticatorApps ?? true,
    captcha: signIn?.captcha ?? null,
  };
}

/** Signs in with a password; fails with the service's message. A second step may follow. */
export function useSignIn() {
  const { load } = usePublicServices();
  return useMutation({
    mutationFn: async ({ email, password, captcha }: Credentials & { captcha?: string | undefined }) => {
      const { auth } = await load();
      await authAnswer(
        () => auth.signInWithPassword({ email: email.trim(), password, ...captchaOption(captcha) }),
        'An error occurred during sign in',
      );
    },
  });
}

/** Creates an account. 'confirm-email' means: no session yet, a link was sent. */
export function useSignUp() {
  const { load } = usePublicServices();
  return useMutation({
    mutationFn: async ({
      email,
      password,
      captcha,
    }: Credentials & { captcha?: string | undefined }): Promise<'signed-in' | 'confirm-email'> => {
      const { auth } = await load();
      const { session } = await authAnswer(
        () =>
          auth.signUp({
            email: email.trim(),
            password,
            options: { emailRedirectTo: confirmedPage(), ...captchaOption(captcha).options },
          }),
        'An error occurred during sign up',
      );
      return session === null ? 'confirm-email' : 'signed-in';
    },
  });
}

/** Resends the confirmation mail. The response does not reveal whether the account exists. */
export function useResend() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async ({ email, captcha }: { email: string; captcha?: string | undefined }) => {
      await authAnswer(() =>
        auth.resend({
          type: 'signup',
          email: email.trim(),
          options: { emailRedirectTo: confirmedPage(), ...captchaOption(captcha).options },
        }),
      );
    },
  });
}
