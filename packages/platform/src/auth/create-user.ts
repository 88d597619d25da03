import { normaliseEmail } from './addresses.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import type { PasswordCost } from '../settings/platform-settings.ts';
import { insertUser } from './user-record.ts';
import type { Database } from '../database/database.ts';

const messages = {
  email_taken: 'already has an account',
  no_such_account: 'has no account',
} as const;

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
  email: string;
  password: string;
  /** Whether the address counts as confirmed, so that sign-in works. */
  confirmed: boolean;
  /** Start of the trial; default now. */
  createdAt?: Date;
  /** Cost of the password hash; default as for all accounts. */
  passwordCost?: PasswordCost;
}

/**
 * Adds an account for an operator, regardless of the sign-up settings. Throws AccountError `email_taken`, and AuthError
 * for an address or password that sign-up would refuse.
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
