import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import type { Credentials } from './credentials.ts';
import { serviceMessage } from './service-message.ts';

const fallback = 'An error occurred during sign up';

/** Makes an account. 'confirm-email' means: no session yet, a link was sent. */
export function useSignUp() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async ({ email, password }: Credentials): Promise<'signed-in' | 'confirm-email'> => {
      try {
        const { data, error } = await auth.signUp({
          email: email.trim(),
          password,
          options: { emailRedirectTo: `${location.origin}/dataset-selector` },
        });
        if (error) throw error;
        return data.session === null ? 'confirm-email' : 'signed-in';
      } catch (cause) {
        throw new Error(serviceMessage(cause, fallback), { cause });
      }
    },
  });
}
