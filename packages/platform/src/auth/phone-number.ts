import { AuthError } from './auth-error.ts';

/** The number as it is stored: E.164 without the plus. Throws AuthError 400 `validation_failed`. */
export function normalisePhone(given: string): string {
  const phone = given.replace(/[\s().-]/g, '').replace(/^\+/, '');
  if (!/^[1-9]\d{6,14}$/.test(phone)) {
    throw new AuthError(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  }
  return phone;
}
