import type { Mail, Mailer } from '@cellfolio/platform';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export class Mailboxes implements Mailer {
  readonly mails: Mail[] = [];

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail);
  }

  sentTo(address: string): readonly Mail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  code(address: string): string {
    return this.#newest(address, /[cC]ode: (\d{6})/);
  }

  link(address: string): string {
    return this.#newest(address, /^(http\S+)$/m);
  }

  #newest(address: string, pattern: RegExp): string {
    const mail = this.sentTo(address).at(-1);
    const match = pattern.exec(mail?.text ?? '')?.[1];
    if (match === undefined) throw new Error(`No such mail to ${address}: ${mail?.text ?? 'none at all'}`);
    return match;
  }
}

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

export interface MailServer {
  url: string;
  mails: { from: string; to: readonly string[]; data: string }[];
  refusal: string | undefined;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const state: MailServer & { url: string } = {
    url: '',
    mails: [],
    refusal: undefined,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, callback) =>
      state.refusal === undefined ? callback() : callback(new Error(state.refusal)),
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        state.mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString('utf8'),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return state;
}

/** Header lines of a mail, unfolded, with lower-case names; repeated ones are kept. */
export function headersOf(data: string): [string, string][] {
  const [head = ''] = data.split('\r\n\r\n', 1);
  return head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
}
