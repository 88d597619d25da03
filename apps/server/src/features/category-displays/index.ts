export { CategoryDisplays } from './category-displays.ts';
