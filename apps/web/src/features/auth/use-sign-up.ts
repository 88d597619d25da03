import { useMutation } from '@tanstack/react-query';
import { usePublicServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { captchaOption } from './captcha-option.ts';
import type { Credentials } from './credentials.ts';
import { confirmedPage } from './link-targets.ts';

/** Makes an account. 'confirm-email' means: no session yet, a link was sent. */
export function useSignUp() {
  const { load } = usePublicServices();
  return useMutation({
    mutationFn: async ({
      email,
      password,
      captcha,
    }: Credentials & { captcha?: string | undefined }): Promise<'signed-in' | 'confirm-email'> => {
      const { auth } = await load();
      const { session } = await authAnswer(
        () =>
          auth.signUp({
            email: email.trim(),
            password,
            options: { emailRedirectTo: confirmedPage(), ...captchaOption(captcha).options },
          }),
        'An error occurred during sign up',
      );
      return session === null ? 'confirm-email' : 'signed-in';
    },
  });
}
