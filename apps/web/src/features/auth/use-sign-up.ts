import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { captchaOption } from './captcha-option.ts';
import type { Credentials } from './credentials.ts';
import { confirmedPage } from './link-targets.ts';

/** Makes an account. 'confirm-email' means: no session yet, a link was sent. */
export function useSignUp() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async ({
      email,
      password,
      captcha,
    }: Credentials & { captcha?: string | undefined }): Promise<'signed-in' | 'confirm-email'> => {
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
