export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Delivers one mail, or throws; SMTP or files are the server's choice. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
