export { CategoryDisplayButton } from './category-display-button.tsx';
export { CategoryDisplayDialog } from './category-display-dialog.tsx';
export {
  type Displayed,
  displayedNow,
  displaysQuery,
  inDisplayOrder,
  sameDisplays,
  useDisplayed,
} from './category-displays.ts';
export { type CategoryNames, datasetNames, namesText, useCategoryNames } from './category-names.ts';
