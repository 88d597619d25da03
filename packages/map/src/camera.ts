/** x to the right, y down in pixels; x to the right, y up on the grid of positions, which is [0, 1]². */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Part of the grid of positions, in [0, 1]². */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Centre in [0, 1]² of the grid of positions, y up; at zoom 1 the whole grid fits. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Share of the shorter side that the grid takes at zoom 1: cells at its rim are drawn whole. */
const filled = 0.96;

/** Beyond the maximum, one step of a position is dozens of pixels wide. */
const zoomRange = [0.5, 4000] as const;

export function pixelsOfGrid({ zoom }: Camera, { width, height }: Size): number {
  return filled * Math.min(width, height) * zoom;
}

export function fit(): Camera {
  return { x: 0.5, y: 0.5, zoom: 1 };
}

export function gridPlace(at: Place, camera: Camera, size: Size): Place {
  const pixels = pixelsOfGrid(camera, size);
  return {
    x: camera.x + (at.x - size.width / 2) / pixels,
    y: camera.y - (at.y - size.height / 2) / pixels,
  };
}

export function screenPlace(at: Place, camera: Camera, size: Size): Place {
  const pixels = pixelsOfGrid(camera, size);
  return {
    x: size.width / 2 + (at.x - camera.x) * pixels,
    y: size.height / 2 - (at.y - camera.y) * pixels,
  };
}

/** `factor` above 1 enlarges; `at` is the screen place that keeps its content, such as the pointer. */
export function zoomAt(camera: Camera, factor: number, at: Place, size: Size): Camera {
  const anchor = gridPlace(at, camera, size);
  const zoom = zoomWithin(camera.zoom * factor);
  const pixels = pixelsOfGrid({ ...camera, zoom }, size);
  return within({
    x: anchor.x - (at.x - size.width / 2) / pixels,
    y: anchor.y + (at.y - size.height / 2) / pixels,
    zoom,
  });
}

/** `by`: pixels that the picture moves to the right and down. */
export function pan(camera: Camera, by: Place, size: Size): Camera {
  const pixels = pixelsOfGrid(camera, size);
  return within({ ...camera, x: camera.x - by.x / pixels, y: camera.y + by.y / pixels });
}

/** Camera that shows a box as large as fits; a box without extent is shown at the largest sensible zoom. */
export function cameraOf({ left, bottom, right, top }: Box, size: Size): Camera {
  const shorter = Math.min(size.width, size.height);
  const zoom = Math.min(size.width / (right - left), size.height / (top - bottom)) / shorter;
  // One cell alone: near enough to see its neighbours.
  return within({ x: (left + right) / 2, y: (bottom + top) / 2, zoom: zoomWithin(Math.min(zoom, 64)) });
}

function zoomWithin(zoom: number): number {
  return Math.min(zoomRange[1], Math.max(zoomRange[0], zoom));
}

/** Keeps the centre on the grid, so that the cells cannot move out of sight. */
function within({ x, y, zoom }: Camera): Camera {
  return { x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)), zoom };
}
