import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { SMTPServer } from 'smtp-server';
import { freePort } from './start-server.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

export interface MailingServer {
  readonly url: string;
  /** Link of the newest mail to the address, once `count` mails have arrived. */
  mailedLink(to: string, count?: number): Promise<string>;
  close(): Promise<void>;
}

export async function startMailingServer(): Promise<MailingServer> {
  const mails: { to: string; data: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const data = Buffer.concat(chunks).toString('utf8');
        for (const { address } of envelope.rcptTo) mails.push({ to: address, data });
        callback();
      });
    },
  });
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done));

  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-e2e-mail-'));
  await copyTestDatabase(folder);
  const port = await freePort();
  const server = spawn(process.execPath, ['apps/server/src/boot/main.ts'], {
    cwd: project,
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopped = new Promise<void>((done) => server.once('exit', () => done()));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error('The server stopped before it was ready.');
    await pause(100);
  }

  return {
    url,
    async mailedLink(to, count = 1) {
      for (let waited = 0; waited < 900; waited += 1) {
        const mine = mails.filter((mail) => mail.to === to);
        const newest = mine.length >= count ? mine.at(-1) : undefined;
        if (newest !== undefined) return linkOf(newest.data);
        await pause(100);
      }
      throw new Error(`${count} mails to ${to} were awaited, ${mails.length} came in all`);
    },
    async close() {
      server.kill('SIGTERM');
      await stopped;
      await new Promise<void>((done) => smtp.close(() => done()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function linkOf(data: string): string {
  const text = data
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const link = /^(http\S+)\r?$/m.exec(text)?.[1];
  if (link === undefined) throw new Error(`No link in the mail:\n${text}`);
  return link;
}
