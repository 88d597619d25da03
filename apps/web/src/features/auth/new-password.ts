import { minPasswordLength } from './credentials.ts';

export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

export const newPasswordFields = [
  { name: 'newPassword', label: 'New Password', autoComplete: 'new-password' },
  { name: 'confirmPassword', label: 'Confirm New Password', autoComplete: 'new-password' },
] as const;

/** What is wrong with a new password typed twice, by field; empty when nothing is. */
export function checkNewPassword({ newPassword, confirmPassword }: NewPassword): Partial<NewPassword> {
  const problems: Partial<NewPassword> = {};
  if (newPassword.length < minPasswordLength) {
    problems.newPassword = `Password must be at least ${minPasswordLength} characters`;
  }
  if (confirmPassword === '') problems.confirmPassword = 'Please confirm your password';
  else if (newPassword !== confirmPassword) problems.confirmPassword = "Passwords don't match";
  return problems;
}
