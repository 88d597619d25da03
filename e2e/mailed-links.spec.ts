import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { expect, test } from '@playwright/test';
import { SMTPServer } from 'smtp-server';
import { freePort } from './support/start-server.ts';

let server: MailingServer;
test.beforeAll(async () => {
  server = await startMailingServer();
});
test.afterAll(() => server?.close());

test('the link of a mail confirms a new account and signs in, and that of another leads to a new password, each once', async ({
  page,
}) => {
  const email = 'ada@cellfolio.test';
  await page.goto(`${server.url}/auth`);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('first secret');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Please check your email for a confirmation link.')).toBeVisible();
  const confirmation = await server.mailedLink(email);
  await page.goto(confirmation);
  // Without the session that the link put behind it.
  await expect(page).toHaveURL(/\/dataset-selector#?$/);
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto(confirmation);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();

  await page.goto(`${server.url}/auth/forgot-password`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText(/a link is on its way/)).toBeVisible();
  const recovery = await server.mailedLink(email, 2);
  await page.goto(recovery);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/reset-password/);
  const keep = page.getByRole('link', { name: 'Keep the current password' });
  await expect(keep).toBeVisible();
  await page.getByLabel('New Password', { exact: true }).fill('second secret');
  await page.getByLabel('Confirm New Password').fill('second secret');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(keep).toBeHidden();
  await page.evaluate(() => localStorage.clear());
  await page.goto(recovery);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('second secret');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dataset-selector$/);
});

const project = fileURLToPath(new URL('../', import.meta.url));

interface MailingServer {
  url: string;
  /** Link of the newest mail to the address, once `count` mails have arrived. */
  mailedLink(to: string, count?: number): Promise<string>;
  close(): Promise<void>;
}

async function startMailingServer(): Promise<MailingServer> {
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
