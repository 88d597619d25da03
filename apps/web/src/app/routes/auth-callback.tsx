import { whenStarted } from '@/app/when-started.tsx';
import { CallbackPage } from '@/features/auth/callback-page.tsx';

export const Component = whenStarted(CallbackPage);
