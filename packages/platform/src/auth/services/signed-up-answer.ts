import type { UserAnswer } from '../user-answer.ts';
import type { UserRecord } from '../user-record.ts';

export interface SignedUp {
  /** The new account; undefined where the address or number had one before. */
  readonly made: UserRecord | undefined;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  readonly now: Date;
}

/**
 * What a sign-up that waits for its confirmation is answered. It is put together from what was asked alone, with ids of
 * nothing where no account was made: so it does not tell who has an account, nor what that account holds.
 */
export function signedUpAnswer(
  name: { readonly email: string } | { readonly phone: string },
  { made, userMetadata, now }: SignedUp,
): UserAnswer {
  const id = made?.id ?? crypto.randomUUID();
  const time = now.toISOString();
  const claims = { sub: id, ...name, email_verified: false, phone_verified: false };
  const byEmail = 'email' in name;
  const provider = byEmail ? 'email' : 'phone';
  const metadata = byEmail ? { ...userMetadata, ...claims } : userMetadata;
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: '',
    phone: '',
    ...name,
    confirmation_sent_at: time,
    app_metadata: { provider, providers: [provider] },
    user_metadata: metadata,
    identities: [
      {
        identity_id: made?.identities[0]?.id ?? crypto.randomUUID(),
        id,
        user_id: id,
        identity_data: byEmail ? metadata : claims,
        provider,
        last_sign_in_at: byEmail ? time : null,
        created_at: time,
        updated_at: time,
        ...(byEmail && { email: name.email }),
      },
    ],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  };
}
