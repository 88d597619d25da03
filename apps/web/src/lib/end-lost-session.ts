import { toast } from 'sonner';
import type { AuthClient } from './services.ts';

/**
 * For a server that refused the access token: asks the authentication service whether the session is still there. One
 * that was ended elsewhere is ended here too, which brings the pages to sign-in; with the dead token kept they would
 * fail for ever, while the sign-in page takes its holder for signed in.
 */
export function endLostSession(auth: Pick<AuthClient, 'getSession' | 'getUser'>): () => void {
  let asking = false;
  const ask = async () => {
    // The client removes a session that its service does not know.
    await auth.getUser();
    const { data } = await auth.getSession();
    if (data.session !== null) return;
    toast.error('Authentication required', {
      id: 'session-ended',
      description: 'Your session has ended. Please sign in again: what you typed is kept.',
    });
  };
  return () => {
    if (asking) return;
    asking = true;
    ask()
      .catch((error: unknown) => console.warn('The session could not be checked.', error))
      .finally(() => {
        asking = false;
      });
  };
}
