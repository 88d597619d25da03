import { normaliseEmail } from './addresses.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import type { PasswordCost } from '../settings/platform-settings.ts';
import { insertUser } from './user-record.ts';
import type { Database } from '../database/database.ts';

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

interface CreateUserRequest {
  readonly email: string;
  readonly password: string;
  /** Whether the address counts as confirmed, so that the account can be signed in to. */
  readonly confirmed: boolean;
  /** Start of the trial; now where it is not given. */
  readonly createdAt?: Date;
  /** What the hash of the password costs; as for everybody else where it is not given. */
  readonly passwordCost?: PasswordCost;
}

/**
 * Adds an account on the operator's word, whatever the sign-up settings. Throws AccountError `email_taken`, and
 * AuthError for an address or password that sign-up would refuse.
 */
export async function createUser(
  database: Database,
  request: CreateUserRequest,
): Promise<{ readonly id: string }> {
  const email = normaliseEmail(request.email);
  checkNewPassword(request.password, 6);
  const passwordHash = await hashPassword(request.password, { cost: request.passwordCost });
  const user = await database.transaction((client) =>
    insertUser(client, {
      email,
      passwordHash,
      confirmed: request.confirmed,
      userMetadata: {},
      createdAt: request.createdAt ?? new Date(),
    }),
  );
  if (!user) throw new AccountError('email_taken', email);
  return { id: user.id };
}
