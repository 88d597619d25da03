export { embedPagePlugin, oembedLink } from './embed-page.ts';
