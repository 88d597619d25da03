export { ExplorerLinks } from './explorer-links.ts';
