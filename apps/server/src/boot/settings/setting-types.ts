import { z } from 'zod';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used; the message is one line that begins with its name. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';

  static of({ issues: [issue] }: z.ZodError): InvalidSettings {
    return new InvalidSettings(`${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`);
  }
}

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const webAddress = z.url({ protocol: /^https?$/ });
/** Without a closing slash, so that paths can be appended. */
export const baseAddress = webAddress.transform((text) => text.replace(/\/+$/, ''));

/** Origins such as `https://files.example.org`, separated by commas. */
export const origins = z.string().transform((text, context) =>
  text.split(',').map((one) => {
    const url = URL.parse(one.trim());
    if (url !== null && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin;
    context.addIssue({
      code: 'custom',
      message: 'must be origins such as https://files.example.org, separated by commas',
    });
    return z.NEVER;
  }),
);

/** The value of a setting that others require. Throws InvalidSettings where it is not set. */
export function required<T>(name: string, value: T | undefined, reason: string): T {
  if (value === undefined) throw new InvalidSettings(`${name}: is required ${reason}`);
  return value;
}
