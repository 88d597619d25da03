import { whenStarted } from '@/app/when-started.tsx';
import { ForgotPasswordPage } from '@/features/auth/forgot-password-page.tsx';

export const Component = whenStarted(ForgotPasswordPage);
