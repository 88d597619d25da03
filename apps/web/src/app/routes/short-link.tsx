export { ShortLinkPage as Component } from '@/features/short-link/short-link-page.tsx';
