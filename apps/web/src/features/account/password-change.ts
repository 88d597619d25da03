import type { NewPassword } from '@/features/auth/index.ts';
import { checkNewPassword, newPasswordFields } from '@/features/auth/index.ts';

export interface PasswordChange extends NewPassword {
  currentPassword: string;
}

export const passwordChangeFields = [
  { name: 'currentPassword', label: 'Current Password', autoComplete: 'current-password' },
  ...newPasswordFields,
] as const;

/** What is wrong with the form, by field; the current password only has to be there. */
export function checkPasswordChange(change: PasswordChange): Partial<PasswordChange> {
  const problems = checkNewPassword(change);
  return change.currentPassword === ''
    ? { ...problems, currentPassword: 'Current password is required' }
    : problems;
}
