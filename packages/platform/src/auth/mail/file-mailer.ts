import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../mailer.ts';

export interface FileMailerOptions {
  /** Made at the first mail. Readable by its owner alone: the mails hold links that sign in. */
  readonly folder: string;
  readonly from: string;
}

/** Mail as `.eml` files in a folder, for an installation without a mail server: the operator hands them on. */
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
    // The name says when and nothing else: addresses come from strangers.
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${crypto.randomUUID().slice(0, 8)}`;
    const unfinished = join(this.#folder, `.${name}`);
    await writeFile(unfinished, composed.message as Buffer, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, join(this.#folder, `${name}.eml`));
  }
}
