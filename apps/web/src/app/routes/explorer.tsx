export { ExplorerPage as Component } from '@/features/explorer/explorer-page.tsx';
