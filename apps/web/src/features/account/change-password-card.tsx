import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { authAnswer, checkNewPassword, newPasswordFields, PasswordForm } from '@/features/auth/index.ts';
import type { NewPassword } from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';
import { SettingsCard } from './settings-card.tsx';

export function ChangePasswordCard({ email }: { email: string }) {
  const { auth } = useServices();
  const [round, setRound] = useState(0);
  const update = useMutation({
    mutationFn: (password: string) => authAnswer(() => auth.updateUser({ password })),
    onSuccess: () => {
      toast.success('Password updated successfully!');
      setRound((last) => last + 1);
    },
    onError: (error) => toast.error('Error', { description: error.message }),
  });
  return (
    <SettingsCard title="Change Password" about="A new password signs you out on your other devices.">
      <div className="max-w-sm">
        {/* Tells password managers the account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordForm
          key={round}
          fields={passwordChangeFields}
          check={checkPasswordChange}
          onSubmit={({ newPassword }) => update.mutate(newPassword)}
          busy={update.isPending}
          buttonClassName="self-start"
        />
      </div>
    </SettingsCard>
  );
}

interface PasswordChange extends NewPassword {
  currentPassword: string;
}

const passwordChangeFields = [
  { name: 'currentPassword', label: 'Current Password', autoComplete: 'current-password' },
  ...newPasswordFields,
] as const;

function checkPasswordChange(change: PasswordChange): Partial<PasswordChange> {
  const problems = checkNewPassword(change);
  return change.currentPassword === ''
    ? { ...problems, currentPassword: 'Current password is required' }
    : problems;
}
