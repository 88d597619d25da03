import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileMailer, SmtpMailer } from './mailers.ts';

const mail = {
  to: 'ada+lab@example.org',
  subject: 'Grüße aus dem Labor',
  text: 'Your code: 012345\n\nhttps://cells.example.org/auth/v1/verify?token=abc',
  html: '<p>Your code: <strong>012345</strong></p>',
};

describe('mail by SMTP', () => {
  const received: { from: string; to: string[]; data: string; user: string | undefined }[] = [];
  let server: SMTPServer;
  let port: number;
  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, callback) =>
        username === 'lab@host' && password === 'p/ss'
          ? callback(null, { user: username })
          : callback(new Error('no')),
      onRcptTo: ({ address }, _session, callback) =>
        address.startsWith('gone') ? callback(new Error('no such mailbox')) : callback(),
      onData: (stream, session, callback) => {
        let data = '';
        stream.on('data', (chunk: Buffer) => {
          data += chunk.toString();
        });
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            data,
            user: session.user,
          });
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  test('reaches the server with its sender, text and HTML, signed in as the address says', async () => {
    const mailer = new SmtpMailer({
      url: `smtp://lab%40host:p%2Fss@127.0.0.1:${port}`,
      from: 'Cellfolio <no-reply@example.org>',
    });
    try {
      await mailer.check();
      await mailer.send(mail);
    } finally {
      mailer.close();
    }
    const { from, to, data, user } = received.at(-1) ?? {};
    expect({ from, to, user }).toEqual({ from: 'no-reply@example.org', to: [mail.to], user: 'lab@host' });
    expect(data).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(data).toContain('multipart/alternative');
    expect(data).toContain('012345');
  });

  test('an address that names several people goes to none of them', async () => {
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@example.org' });
    const before = received.length;
    try {
      await mailer.send({ ...mail, to: 'ada@example.org, eve@example.org' }).catch(() => {});
    } finally {
      mailer.close();
    }
    for (const { to } of received.slice(before)) expect(to).not.toContain('eve@example.org');
  });

  test('a wrong password or an unreachable server is reported before the first mail', async () => {
    for (const [url, reason] of [
      [`smtp://lab%40host:wrong@127.0.0.1:${port}`, /Invalid login/],
      ['smtp://127.0.0.1:9', /ECONNREFUSED/],
    ] as const) {
      const mailer = new SmtpMailer({ url, from: 'no-reply@example.org' });
      await expect(mailer.check()).rejects.toThrow(reason);
      mailer.close();
    }
  });

  test('a refusal of the server is an error', async () => {
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@example.org' });
    try {
      await expect(mailer.send({ ...mail, to: 'gone@example.org' })).rejects.toThrow(/no such mailbox/);
    } finally {
      mailer.close();
    }
  });

  test('an address of another protocol is refused at once', () => {
    expect(() => new SmtpMailer({ url: 'https://mail.example.org', from: 'a@b.org' })).toThrow(/smtp:\/\//);
  });
});

describe('mail into files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellfolio-mail-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('every mail is one .eml file that its owner alone may read', async () => {
    const mailer = new FileMailer({ folder: join(folder, 'mail'), from: 'no-reply@example.org' });
    await Promise.all([mailer.send(mail), mailer.send({ ...mail, to: '../../etc/passwd@example.org' })]);
    const names = await readdir(join(folder, 'mail'));
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\w.-]+\.eml$/);
      const path = join(folder, 'mail', name);
      expect((await stat(path)).mode & 0o077).toBe(0);
      expect(await readFile(path, 'utf8')).toContain('012345');
    }
  });

  test('a folder that cannot be made is an error', async () => {
    const inTheWay = join(folder, 'a file');
    await writeFile(inTheWay, '');
    const mailer = new FileMailer({ folder: join(inTheWay, 'mail'), from: 'no-reply@example.org' });
    await expect(mailer.send(mail)).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
