export { ExplorerLinks, type LinkedLabel, openLink } from './explorer-links.ts';
