import { z } from 'zod';
import { AuthError } from './auth-error.ts';

const maxLength = 255;
// The e-mail syntax of browsers, so that form and service agree.
const pattern = z.email({ pattern: z.regexes.html5Email });

/** Address as stored and compared: trimmed, lower case. Throws AuthError 400 `validation_failed`. */
export function normaliseEmail(input: string): string {
  const email = input.trim().toLowerCase();
  if (email.length > maxLength) {
    throw new AuthError(
      400,
      'validation_failed',
      `An email address cannot be longer than ${maxLength} characters.`,
    );
  }
  if (!pattern.safeParse(email).success) {
    throw new AuthError(400, 'validation_failed', 'Unable to validate email address: invalid format');
  }
  return email;
}

/** Number as stored: E.164 without the plus. Throws AuthError 400 `validation_failed`. */
export function normalisePhone(input: string): string {
  const phone = input.replace(/[\s().-]/g, '').replace(/^\+/, '');
  if (!/^[1-9]\d{6,14}$/.test(phone)) {
    throw new AuthError(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  }
  return phone;
}
