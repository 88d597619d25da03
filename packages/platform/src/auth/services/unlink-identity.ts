import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { findUser, findUserByEmail, refreshProviders } from '../user-record.ts';

/** Takes a way of signing in from an account that has another one. Throws AuthError. */
export async function unlinkIdentity(
  context: AuthContext,
  userId: string,
  identityId: string,
): Promise<void> {
  const now = new Date(context.now());
  await context.database.transaction(async (client) => {
    // Two removals at once must not take the last two.
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
