import { whenStarted } from '@/app/when-started.tsx';
import { ShortLinkPage } from '@/features/links/index.ts';

export const Component = whenStarted(ShortLinkPage);
