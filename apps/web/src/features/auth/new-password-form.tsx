import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { checkNewPassword, newPasswordFields } from './new-password.ts';
import { PasswordForm } from './password-form.tsx';

/** Chooses a new password for whoever the link of the mail signed in. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { auth } = useServices();
  const update = useMutation({
    mutationFn: (password: string) => authAnswer(() => auth.updateUser({ password })),
    onSuccess: onDone,
  });
  return (
    <PasswordForm
      fields={newPasswordFields}
      check={checkNewPassword}
      onSubmit={({ newPassword }) => update.mutate(newPassword)}
      busy={update.isPending}
      error={update.error?.message}
    />
  );
}
