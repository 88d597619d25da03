import { setTimeout as wait } from 'node:timers/promises';

export interface Mail {
  readonly to: string;
  /** Whom an answer goes to, where that is not the sender. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  /** The same in HTML, with everything that came from outside escaped. */
  readonly html?: string;
}

/** Delivers one mail, or throws; SMTP or files are the server's choice. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Delivers one text message, or throws. `to` is in E.164 without the plus: digits only. */
export interface SmsSender {
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}

interface OutboxOptions {
  /** For the log; `mail` where it is not given. */
  readonly what?: string;
  /** One line for the operator; no addresses in it. */
  readonly log: (line: string) => void;
  /** Milliseconds before each further attempt. */
  readonly retryAfterMs?: readonly number[];
  /** Mails on their way at once; past it new ones are dropped and logged. */
  readonly capacity?: number;
}

/**
 * Sends mails (or text messages) without making anybody wait: how long a request takes must not tell whether a mail went out, and so
 * whether an address has an account. A mail that fails is tried again a few times, then logged.
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

  /** Waits for the mails that are being sent; those that wait for another attempt get it now, and no more. */
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
