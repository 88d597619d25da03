import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { captchaOption } from './captcha-option.ts';
import { confirmedPage } from './link-targets.ts';

/** Sends the mail that confirms a new account once more. The answer does not tell whether there is such an account. */
export function useResend() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async ({ email, captcha }: { email: string; captcha?: string | undefined }) => {
      await authAnswer(() =>
        auth.resend({
          type: 'signup',
          email: email.trim(),
          options: { emailRedirectTo: confirmedPage(), ...captchaOption(captcha).options },
        }),
      );
    },
  });
}
