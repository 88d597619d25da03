import type { AuthClient } from './services.ts';

let lost = false;
let left = false;

export function sessionWasLost(): boolean {
  return lost;
}

export function signedOutByChoice(): boolean {
  return left;
}

/**
 * Handles a refused access token: asks the authentication service whether the session still exists. A session ended
 * elsewhere is ended here too, which leads to sign-in; with the dead token the pages would fail forever, while the
 * sign-in page would treat the user as signed in. An existing session whose token the service also refuses gets a new
 * token: a wrong clock, here or there, made it expire early.
 */
export function endLostSession(
  auth: Pick<AuthClient, 'getUser' | 'onAuthStateChange' | 'refreshSession'>,
): () => void {
  let asking = false;
  auth.onAuthStateChange((event) => {
    if (event !== 'SIGNED_IN' && event !== 'SIGNED_OUT') return;
    lost = event === 'SIGNED_OUT' && asking;
    left = event === 'SIGNED_OUT' && !asking;
  });
  return () => {
    if (asking) return;
    asking = true;
    // The client removes a session that the service does not know.
    auth
      .getUser()
      .then(({ error }) => (error?.code === 'bad_jwt' ? auth.refreshSession() : undefined))
      .catch((error: unknown) => console.warn('The session could not be checked.', error))
      .finally(() => {
        asking = false;
      });
  };
}
