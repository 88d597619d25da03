export { EmbedButton } from './embed-button.tsx';
export { EmbedPage } from './embed-page.tsx';
