import { useMutation } from '@tanstack/react-query';
import { usePublicServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { captchaOption } from './captcha-option.ts';
import type { Credentials } from './credentials.ts';

/** Signs in with a password; fails with the service's message. A second step, where there is one, follows. */
export function useSignIn() {
  const { load } = usePublicServices();
  return useMutation({
    mutationFn: async ({ email, password, captcha }: Credentials & { captcha?: string | undefined }) => {
      const { auth } = await load();
      await authAnswer(
        () => auth.signInWithPassword({ email: email.trim(), password, ...captchaOption(captcha) }),
        'An error occurred during sign in',
      );
    },
  });
}
