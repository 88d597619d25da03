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
