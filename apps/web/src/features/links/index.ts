export { CopyLinkButton } from './copy-link-button.tsx';
