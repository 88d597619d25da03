import { whenStarted } from '@/app/when-started.tsx';
import { AccountPage } from '@/features/account/account-page.tsx';

export const Component = whenStarted(AccountPage);
