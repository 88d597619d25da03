import { whenStarted } from '@/app/when-started.tsx';
import { Authenticating, ExplorerPage } from '@/features/explorer/explorer-page.tsx';

export const Component = whenStarted(ExplorerPage, Authenticating);
