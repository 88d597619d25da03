import { whenStarted } from '@/app/when-started.tsx';
import { BeforeExplorer, ExplorerPage } from '@/features/explore/index.ts';

export const Component = whenStarted(ExplorerPage, BeforeExplorer);
