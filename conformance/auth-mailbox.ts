import type { Mail, Mailer } from '@cellfolio/platform';

/** All mailboxes of a test: what was sent to whom. */
export class Mailboxes implements Mailer {
  readonly mails: Mail[] = [];

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail);
  }

  sentTo(address: string): readonly Mail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** The six digits of the newest mail to the address. */
  code(address: string): string {
    return this.#newest(address, /[cC]ode: (\d{6})/);
  }

  /** The link of the newest mail to the address. */
  link(address: string): string {
    return this.#newest(address, /^(http\S+)$/m);
  }

  #newest(address: string, pattern: RegExp): string {
    const mail = this.sentTo(address).at(-1);
    const found = pattern.exec(mail?.text ?? '')?.[1];
    if (found === undefined) throw new Error(`No such mail to ${address}: ${mail?.text ?? 'none at all'}`);
    return found;
  }
}

/** Where a link of a mail leads. */
export async function openLink(link: string, headers: Record<string, string> = {}) {
  const answer = await fetch(link, { redirect: 'manual', headers });
  const target = new URL(answer.headers.get('location') ?? 'none:');
  return {
    status: answer.status,
    target,
    query: target.searchParams,
    fragment: new URLSearchParams(target.hash.slice(1)),
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}
