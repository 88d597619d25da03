export { words } from '../composition-bar/words.ts';
