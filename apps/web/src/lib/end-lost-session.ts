import type { AuthClient } from './services.ts';

let lost = false;
let left = false;

/** Whether the session was ended elsewhere: the sign-in page says so. */
export function sessionWasLost(): boolean {
  return lost;
}

/** Whether the user has signed out, here or in another tab. */
export function signedOutByChoice(): boolean {
  return left;
}

/**
 * For a server that refused the access token: asks the authentication service whether the session is still there. One
 * that was ended elsewhere is ended here too, which brings the pages to sign-in; with the dead token kept they would
 * fail for ever, while the sign-in page takes its holder for signed in. One that is there gets a new token where the
 * service refuses the old one as well: a clock that is off, here or there, lets it end before its time.
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
