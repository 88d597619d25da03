const messages = {
  email_taken: 'already has an account',
  no_such_account: 'has no account',
} as const;

/** An operator's request about an account that cannot be done. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: keyof typeof messages;
  readonly email: string;

  constructor(code: keyof typeof messages, email: string) {
    super(`${email} ${messages[code]}.`);
    this.code = code;
    this.email = email;
  }
}
