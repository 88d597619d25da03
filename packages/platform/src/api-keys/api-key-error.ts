const messages = {
  invalid_name: 'The name of an API key needs 1 to 100 characters.',
  too_many: 'An account holds at most 20 API keys. Revoke one that is no longer used.',
  no_such_user: 'There is no such account.',
} as const;

/** A personal API key that cannot be made. */
export class ApiKeyError extends Error {
  override readonly name = 'ApiKeyError';
  readonly code: keyof typeof messages;

  constructor(code: keyof typeof messages, options?: ErrorOptions) {
    super(messages[code], options);
    this.code = code;
  }
}
