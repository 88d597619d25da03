export type { Box, Camera, Place, Size } from './camera.ts';
export { cameraOf, fit, gridPlace, pan, screenPlace, zoomAt } from './camera.ts';
export { LassoWorker } from './lasso-worker.ts';
export { MapRenderer } from './map-renderer.ts';
export type { Layer, MapView } from './map-view.ts';
export { paintPixels } from './paint-pixels.ts';
export type { Rgb } from './palettes.ts';
export { outsideSlot, rangePalette, slotPalette } from './palettes.ts';
export { Points } from './points.ts';
