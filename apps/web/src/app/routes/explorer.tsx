import { whenStarted } from '@/components/when-started.tsx';
import { BeforeExplorer } from '@/features/explorer/before-explorer.tsx';
import { ExplorerPage } from '@/features/explorer/explorer-page.tsx';

export const Component = whenStarted(ExplorerPage, BeforeExplorer);
