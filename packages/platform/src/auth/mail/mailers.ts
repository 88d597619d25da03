import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import type { Mail, Mailer } from './mailer.ts';

interface SmtpMailerOptions {
  /** `smtp://user:password@host:587`, which upgrades to TLS before signing in, or `smtps://…:465`. */
  url: string;
  from: string;
}

const seconds = 1000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Mail through an SMTP server, over a few pooled connections. */
export class SmtpMailer implements Mailer {
  readonly #transport: Transporter;
  readonly #from: string;

  constructor({ url, from }: SmtpMailerOptions) {
    const server = new URL(url);
    if (server.protocol !== 'smtp:' && server.protocol !== 'smtps:') {
      throw new TypeError('The address of a mail server must start with smtp:// or smtps://.');
    }
    const secure = server.protocol === 'smtps:';
    this.#transport = createTransport({
      pool: true,
      maxConnections: 3,
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port ? Number(server.port) : secure ? 465 : 587,
      secure,
      ...(server.username && {
        auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
      }),
      // A password must not be sent over an unencrypted connection.
      requireTLS: !secure && server.username !== '' && !loopback.has(server.hostname),
      connectionTimeout: 10 * seconds,
      greetingTimeout: 10 * seconds,
      socketTimeout: 30 * seconds,
      // Our mails have no external content.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    this.#from = from;
  }

  async send({ to, replyTo, subject, text, html }: Mail): Promise<void> {
    await this.#transport.sendMail({
      from: this.#from,
      // As an object: a string would be parsed, and may hold several addresses.
      to: { name: '', address: to },
      ...(replyTo && { replyTo: { ...replyTo } }),
      subject,
      text,
      ...(html !== undefined && { html }),
      // Suppresses automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }

  /** Connects and signs in without sending; throws the server's own message on failure. */
  async check(): Promise<void> {
    await this.#transport.verify();
  }

  close(): void {
    this.#transport.close();
  }
}

interface FileMailerOptions {
  /** Created at the first mail, readable by its owner alone: the mails hold links that sign in. */
  folder: string;
  from: string;
}

/** Writes mails as `.eml` files to a folder, for an installation without a mail server: the operator passes them on. */
export class FileMailer implements Mailer {
  readonly #folder: string;
  readonly #from: string;
  readonly #compose = createTransport({ streamTransport: true, buffer: true });

  constructor({ folder, from }: FileMailerOptions) {
    this.#folder = folder;
    this.#from = from;
  }

  async send({ to, replyTo, subject, text, html }: Mail): Promise<void> {
    const composed = await this.#compose.sendMail({
      from: this.#from,
      to: { name: '', address: to },
      ...(replyTo && { replyTo: { ...replyTo } }),
      subject,
      text,
      ...(html !== undefined && { html }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // The name has only the time: addresses are untrusted.
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${crypto.randomUUID().slice(0, 8)}`;
    const unfinished = join(this.#folder, `.${name}`);
    await writeFile(unfinished, composed.message as Buffer, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, join(this.#folder, `${name}.eml`));
  }
}
