import { setTimeout as wait } from 'node:timers/promises';

export interface Mail {
  readonly to: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  /** The same in HTML, with all external content escaped. */
  readonly html?: string;
}

/** Delivers one mail, or throws; the server chooses SMTP or files. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Delivers one text message, or throws. `to` is in E.164 without the plus: digits only. */
export interface SmsSender {
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}

interface OutboxOptions {
  /** Name in the log; default `mail`. */
  what?: string;
  /** Receives one line for the operator; contains no addresses. */
  log: (line: string) => void;
  retryAfterMs?: readonly number[];
  /** Maximum number of mails in transit; further ones are dropped and logged. */
  capacity?: number;
}

/**
 * Sends mails (or text messages) in the background: response times must not reveal whether a mail was sent, and so
 * whether an address has an account. A failed mail is retried a few times, then logged.
 */
export class Outbox {
  readonly #mailer: Mailer;
  readonly #what: string;
  readonly #log: (line: string) => void;
  readonly #retryAfterMs: readonly number[];
  readonly #capacity: number;
  readonly #pending = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(
    mailer: Mailer,
    { what = 'mail', log, retryAfterMs = [1_000, 10_000, 60_000], capacity = 1_000 }: OutboxOptions,
  ) {
    this.#mailer = mailer;
    this.#what = what;
    this.#log = log;
    this.#retryAfterMs = retryAfterMs;
    this.#capacity = capacity;
  }

  post(mail: Mail): void {
    if (this.#pending.size >= this.#capacity) {
      this.#log(`${this.#what} "${mail.subject}" was dropped: ${this.#capacity} others wait to be sent`);
      return;
    }
    const sending = this.#deliver(mail).finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }

  /** Waits for mails in transit; those waiting for a retry get it now, as their last. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#pending);
  }

  async #deliver(mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#mailer.send(mail);
        return;
      } catch (error) {
        const delay = this.#retryAfterMs[attempt];
        // Mail servers and gateways quote the recipient in their errors.
        const reason = (error instanceof Error ? error.message : String(error)).replaceAll(mail.to, '…');
        if (delay === undefined || this.#closing.signal.aborted) {
          this.#log(`${this.#what} "${mail.subject}" could not be sent: ${reason}`);
          return;
        }
        await wait(delay, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }
}
