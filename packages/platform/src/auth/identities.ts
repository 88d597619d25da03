import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PoolClient } from 'pg';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { authenticate, requireSecondStep } from './sessions.ts';
import {
  findUser,
  findUserByEmail,
  refreshProviders,
  confirmEmail,
  type Queryable,
  type UserRecord,
} from './user-record.ts';
import { normaliseEmail } from './addresses.ts';
import type { ProviderProfile } from './oauth/identity-provider.ts';
import { removeUnverifiedSignIns } from './verify.ts';

const parameters = z.object({ identityId: z.uuid() });

export function deleteIdentity(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'DELETE',
    url: '/user/identities/:identityId',
    handler: async (request) => {
      const signedIn = await authenticate(context, request.headers.authorization);
      requireSecondStep(signedIn);
      if (!context.settings.manualLinking) {
        throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
      }
      const parsed = parameters.safeParse(request.params);
      if (!parsed.success) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
      await unlinkIdentity(context, signedIn.user.id, parsed.data.identityId);
      return {};
    },
  });
}

/** Removes a sign-in method from an account that has another one. Throws AuthError. */
async function unlinkIdentity(context: AuthContext, userId: string, identityId: string): Promise<void> {
  const now = new Date(context.now());
  await context.database.transaction(async (client) => {
    // Two concurrent removals must not delete the last two.
    await client.query(`select 1 from auth.users where id = $1 for update`, [userId]);
    const user = await findUser(client, userId);
    const leaving = user?.identities.find(({ id }) => id === identityId);
    if (!user || !leaving) {
      throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
    }
    const staying = user.identities.filter(({ id }) => id !== identityId);
    if (staying.length === 0) {
      throw new AuthError(
        422,
        'single_identity_not_deletable',
        'User must have at least 1 identity after unlinking',
      );
    }
    await client.query(`delete from auth.identities where id = $1`, [identityId]);
    // The password belongs to the identity that signs in with it.
    if (leaving.provider === 'email') {
      await client.query(`update auth.users set encrypted_password = null where id = $1`, [userId]);
    }
    const addresses = staying.flatMap(({ identity_data: { email, email_verified: verified } }) =>
      typeof email === 'string' && verified === true ? [email.toLowerCase()] : [],
    );
    const next = addresses[0];
    if (user.email !== null && next !== undefined && !addresses.includes(user.email)) {
      const owner = await findUserByEmail(client, next);
      if (owner && owner.id !== userId) {
        throw new AuthError(
          422,
          'email_conflict_identity_not_deletable',
          'Unable to unlink identity due to email conflict',
        );
      }
      await client.query(`update auth.users set email = $2 where id = $1`, [userId, next]);
    }
    await refreshProviders(client, userId, now);
  });
}

interface SignedInProfile {
  provider: string;
  profile: ProviderProfile;
  linkingUserId: string | undefined;
}

/**
 * Account for a provider's account: the one it is linked to, the one with the same address if both sides have verified
 * it, or a new one. Throws AuthError.
 */
export async function accountOf(
  client: PoolClient,
  context: AuthContext,
  arrived: SignedInProfile,
): Promise<string> {
  const now = new Date(context.now());
  const joinedUser = await joinedAccount(client, arrived, now);
  if (arrived.linkingUserId !== undefined) {
    if (joinedUser !== undefined) throw alreadyLinked(joinedUser === arrived.linkingUserId);
    return join(client, arrived.linkingUserId, arrived, now);
  }
  if (joinedUser !== undefined) return joinedUser;
  const email = provenAddress(arrived);
  const user = await findUserByEmail(client, email);
  if (!user) return makeAccount(client, context, arrived, email, now);
  if (user.email_confirmed_at === null) {
    // Its creator never proved the address; this user just did.
    await removeUnverifiedSignIns(client, user.id, now);
    await client.query(`delete from auth.identities where user_id = $1`, [user.id]);
    await client.query(`delete from auth.one_time_tokens where user_id = $1`, [user.id]);
    await insertIdentity(client, user.id, arrived, now);
    await confirmEmail(client, user.id, now);
    await refreshProviders(client, user.id, now);
    return user.id;
  }
  if (!isProven(user)) {
    // It was auto-confirmed, so anyone may have made it and may still know its password.
    throw new AuthError(
      422,
      'email_exists',
      `An account with this address already exists. Sign in to it, then connect ${arrived.provider} on the account page.`,
    );
  }
  await insertIdentity(client, user.id, arrived, now);
  await refreshProviders(client, user.id, now);
  return user.id;
}

/**
 * Stores an account to be linked when the requesting client exchanges its code; returns its future owner. Throws
 * AuthError 422 `identity_already_exists` if the link is already known to be impossible.
 */
export async function postponeLink(
  client: PoolClient,
  context: AuthContext,
  arrived: SignedInProfile,
  flowId: string,
): Promise<string> {
  const joinedUser = await joinedAccount(client, arrived, new Date(context.now()));
  const userId = arrived.linkingUserId ?? '';
  if (joinedUser !== undefined) throw alreadyLinked(joinedUser === userId);
  await client.query(`update auth.flow_state set pending_profile = $2 where id = $1`, [
    flowId,
    JSON.stringify(arrived.profile),
  ]);
  return userId;
}

function alreadyLinked(toThisAccount: boolean): AuthError {
  const holder = toThisAccount ? 'this account' : 'another user';
  return new AuthError(422, 'identity_already_exists', `Identity is already linked to ${holder}`);
}

async function joinedAccount(
  client: Queryable,
  { provider, profile, linkingUserId }: SignedInProfile,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await client.query<{ user_id: string }>(
    `select user_id from auth.identities where provider = $1 and provider_id = $2 for update`,
    [provider, profile.subject],
  );
  const userId = rows[0]?.user_id;
  if (userId === undefined || linkingUserId !== undefined) return userId;
  await client.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
     where provider = $1 and provider_id = $2`,
    [provider, profile.subject, JSON.stringify(identityData(profile)), now],
  );
  return userId;
}

export const maxIdentities = 20;

async function join(
  client: PoolClient,
  userId: string,
  arrived: SignedInProfile,
  now: Date,
): Promise<string> {
  // Serialized, or two concurrent ones would exceed the limit.
  await client.query(`select 1 from auth.users where id = $1 for update`, [userId]);
  const user = await findUser(client, userId);
  if (!user) throw new AuthError(403, 'user_not_found', 'The account no longer exists.');
  if (user.identities.length >= maxIdentities) {
    throw new AuthError(
      422,
      'validation_failed',
      `At most ${maxIdentities} external accounts can be connected. Disconnect one that you no longer use.`,
    );
  }
  await insertIdentity(client, userId, arrived, now);
  if (user.is_anonymous) {
    const { email, emailVerified } = arrived.profile;
    const address = email !== undefined && emailVerified ? normaliseEmail(email) : undefined;
    const free = address !== undefined && !(await findUserByEmail(client, address));
    await client.query(
      `update auth.users set is_anonymous = false, email = $2, email_confirmed_at = $3, updated_at = $4 where id = $1`,
      [userId, free ? address : null, free ? now : null, now],
    );
  }
  await refreshProviders(client, userId, now);
  return userId;
}

/** The address, if the provider has verified it; an unverified address never has any effect. */
function provenAddress({ provider, profile }: SignedInProfile): string {
  if (profile.email === undefined || !profile.emailVerified) {
    throw new AuthError(
      403,
      'provider_email_needs_verification',
      profile.email === undefined
        ? `${provider} did not share your email address. Allow it there, or sign up with the address itself.`
        : `Your email address is not verified at ${provider}. Verify it there and try again.`,
    );
  }
  return normaliseEmail(profile.email);
}

/** Whether the account's address is verified, by a mail or through a provider. */
function isProven(user: UserRecord): boolean {
  return user.identities.some(
    ({ identity_data: { email, email_verified: verified } }) =>
      verified === true && typeof email === 'string' && email.toLowerCase() === user.email,
  );
}

async function makeAccount(
  client: PoolClient,
  context: AuthContext,
  arrived: SignedInProfile,
  email: string,
  now: Date,
): Promise<string> {
  if (!context.settings.signUpEnabled) {
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  }
  const id = crypto.randomUUID();
  await client.query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
       created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', $2, $3, '{}', $4, $3, $3)`,
    [id, email, now, JSON.stringify(identityData(arrived.profile))],
  );
  await insertIdentity(client, id, arrived, now);
  await refreshProviders(client, id, now);
  return id;
}

async function insertIdentity(
  client: Queryable,
  userId: string,
  { provider, profile }: SignedInProfile,
  now: Date,
): Promise<void> {
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6)`,
    [crypto.randomUUID(), profile.subject, userId, JSON.stringify(identityData(profile)), provider, now],
  );
}

function identityData(profile: ProviderProfile): Readonly<Record<string, unknown>> {
  const { subject, email, emailVerified, name, userName, picture, issuer } = profile;
  return {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    ...(email !== undefined && { email: email.toLowerCase() }),
    email_verified: emailVerified,
    phone_verified: false,
    ...(name !== undefined && { name, full_name: name }),
    ...(userName !== undefined && { user_name: userName, preferred_username: userName }),
    ...(picture !== undefined && { picture, avatar_url: picture }),
  };
}
