import { expect, test } from 'vitest';
import * as map from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(map).sort()).toMatchInlineSnapshot(`
    [
      "LassoWorker",
      "MapRenderer",
      "Points",
      "cameraOf",
      "categoryPalette",
      "fit",
      "gridPlace",
      "otherSlot",
      "paintPixels",
      "pan",
      "pointSizeOf",
      "rangePalette",
      "screenPlace",
      "slotsOfCategories",
      "slotsOfCodes",
      "zoomAt",
    ]
  `);
});
