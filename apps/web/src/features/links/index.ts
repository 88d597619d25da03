export { CopyLinkButton } from './copy-link-button.tsx';
export { ShortLinkPage } from './short-link-page.tsx';
