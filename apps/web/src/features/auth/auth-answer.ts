import { isAuthError } from '@supabase/auth-js';
import { serviceMessage } from './service-message.ts';

/** The authentication service refused; the message is its own, or the fallback of the page. */
export class AuthRefused extends Error {
  override readonly name = 'AuthRefused';
  /** The service's tag of the refusal, such as `email_not_confirmed`; empty where it gave none. */
  readonly code: string;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = isAuthError(cause) && typeof cause.code === 'string' ? cause.code : '';
  }
}

/** The data of those answers that carry no error. */
type Given<Answer> = Answer extends { data: infer Data; error: null } ? Data : never;

/** Runs a call of the authentication client. Throws {@link AuthRefused} with the message to show. */
export async function authAnswer<Answer extends { data: unknown; error: unknown }>(
  call: () => Promise<Answer>,
  fallback = 'Something went wrong. Please try again.',
): Promise<Given<Answer>> {
  try {
    const { data, error } = await call();
    if (error) throw error;
    return data as Given<Answer>;
  } catch (cause) {
    throw new AuthRefused(serviceMessage(cause, fallback), cause);
  }
}
