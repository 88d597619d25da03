import { whenStarted } from '@/app/when-started.tsx';
import { ConfirmPage } from '@/features/auth/confirm-page.tsx';

export const Component = whenStarted(ConfirmPage);
