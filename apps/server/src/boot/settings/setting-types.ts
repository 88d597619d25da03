import { isIP } from 'node:net';
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used; the message is one line that begins with the setting's name. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';

  get setting(): string {
    return this.message.slice(0, this.message.indexOf(':'));
  }

  static of({ issues: [issue] }: z.ZodError): InvalidSettings {
    return new InvalidSettings(`${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`);
  }
}

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const webAddress = z.url({ protocol: /^https?$/ });
/** Removes trailing slashes, so that paths can be appended. */
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

/** Proxies whose forwarding headers are trusted: a number of nearest proxies, or their addresses. */
export type TrustedProxies = number | readonly string[];

const proxiesMessage =
  'must be false, the addresses or networks of the proxies such as 10.0.0.7,10.1.0.0/16, or, where only they reach the server, true or their number';

/** `true` is one proxy. A network that covers every address is refused: it would trust every caller. */
export const proxies = z.string().transform((text, context): TrustedProxies => {
  if (/^(?:true|false|[0-9])$/.test(text)) return text === 'true' ? 1 : text === 'false' ? 0 : Number(text);
  const addresses = text.split(',').map((one) => one.trim());
  const refused = addresses.find((one) => !isNetwork(one));
  if (refused === undefined) return addresses;
  const message = refused.endsWith('/0')
    ? `${refused} has every address; name those of the proxies`
    : proxiesMessage;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || !/^[1-9]\d{0,2}$/.test(length ?? '1')) return false;
  return Number(length ?? 1) <= (version === 4 ? 32 : 128);
}

/** The value of a setting that others require. Throws InvalidSettings when it is not set. */
export function required<T>(name: string, value: T | undefined, reason: string): T {
  if (value === undefined) throw new InvalidSettings(`${name}: is required ${reason}`);
  return value;
}
