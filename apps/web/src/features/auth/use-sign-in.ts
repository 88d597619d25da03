import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import type { Credentials } from './credentials.ts';
import { serviceMessage } from './service-message.ts';

const fallback = 'An error occurred during sign in';

/** Signs in with a password; fails with the service's message. */
export function useSignIn() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async ({ email, password }: Credentials): Promise<void> => {
      try {
        const { error } = await auth.signInWithPassword({ email: email.trim(), password });
        if (error) throw error;
      } catch (cause) {
        throw new Error(serviceMessage(cause, fallback), { cause });
      }
    },
  });
}
