import { whenStarted } from '@/app/when-started.tsx';
import { ResetPasswordPage } from '@/features/auth/reset-password-page.tsx';

export const Component = whenStarted(ResetPasswordPage);
