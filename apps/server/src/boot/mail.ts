import { join } from 'node:path';
import { FileMailer, type Mailer, SmtpMailer } from '@cellfolio/platform';
import type { Settings } from './settings/read-settings.ts';

/** How mail leaves this server. */
export interface Mail {
  readonly mailer: Mailer;
  /** Without a mail server nobody could open a confirmation, so accounts confirm themselves. */
  readonly autoConfirm: boolean;
  readonly close: () => Promise<void>;
}

/** Mail by SMTP where a server is set, else as `.eml` files in the data folder. */
export function openMail({
  smtpUrl,
  mailFrom: from,
  dataDir,
}: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mail {
  if (smtpUrl === undefined) {
    const mailer = new FileMailer({ folder: join(dataDir, 'mail'), from });
    return { mailer, autoConfirm: true, close: async () => undefined };
  }
  const mailer = new SmtpMailer({ url: smtpUrl, from });
  return { mailer, autoConfirm: false, close: async () => mailer.close() };
}
