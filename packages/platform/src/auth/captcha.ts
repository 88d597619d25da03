import { z } from 'zod';
import type { CaptchaSettings } from '../settings/platform-settings.ts';
import { AuthError } from './auth-error.ts';

export interface CaptchaCheck {
  /**
   * Throws AuthError 400 `captcha_failed` for a missing or refused token; another error if the service gives no
   * verdict.
   */
  check(token: string | undefined, address: string): Promise<void>;
}

const timeoutMs = 10_000;
const maxTokenLength = 8_192;
const verdict = z.looseObject({ success: z.boolean() });

/**
 * Verifies with the configured service, by the protocol that hCaptcha and Turnstile share; no other address is ever
 * called.
 */
export function createCaptchaCheck({ verifyUrl, secret }: CaptchaSettings): CaptchaCheck {
  return {
    check: async (token, address) => {
      if (!token || token.length > maxTokenLength) throw refused('no token was sent');
      const answer = await fetch(verifyUrl, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: token, remoteip: address }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      // An outage is not the visitor's fault: 5xx, which clients retry.
      if (!answer.ok) throw new Error(`The captcha service answered ${answer.status}.`);
      if (!verdict.parse(await answer.json()).success) throw refused('the token was not accepted');
    },
  };
}

function refused(why: string): AuthError {
  return new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${why})`);
}
