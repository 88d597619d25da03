import { whenStarted } from '@/app/when-started.tsx';
import { ShortLinkPage } from '@/features/short-link/short-link-page.tsx';

export const Component = whenStarted(ShortLinkPage);
