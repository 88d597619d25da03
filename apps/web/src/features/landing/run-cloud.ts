import { loadBannerCells } from './banner-cells.ts';
import { cloudColours } from './cloud-colours.ts';
import type { Colouring } from './cloud-drawing.ts';
import { createCloudDrawing } from './cloud-drawing.ts';
import { colouringAt, frameAt } from './cloud-programme.ts';
import { createStillDrawing } from './still-drawing.ts';

export interface Cloud {
  /** It can move on this canvas. */
  readonly alive: boolean;
  /** `false` holds it where it is. It also rests by itself off the screen and in a hidden tab. */
  setMoving: (moving: boolean) => void;
  stop: () => void;
}

interface CloudOptions {
  moving: boolean;
  /** Moves also where the graphics processor is imitated, which costs the main one dearly. */
  slow: boolean;
  /** The first picture is there. */
  onShown: () => void;
  onColouring: (colouring: Colouring) => void;
  /** It came to rest because this device cannot keep up with it. */
  onRest: () => void;
}

/** Of the last frames, how many may come late before the cloud rests. */
const [watched, late, lateAfter] = [60, 30, 0.04];

/** Loads the cells and draws them on a canvas that the page has laid out, until it is stopped. */
export async function runCloud(
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
  options: CloudOptions,
): Promise<Cloud | null> {
  const cells = await loadBannerCells(signal);
  if (signal.aborted) return null;
  const drawing = createCloudDrawing(canvas, cells, options) ?? createStillDrawing(canvas, cells);
  if (drawing === null) return null;
  const { alive } = drawing;

  let moving = options.moving && alive;
  let visible = true;
  let request = 0;
  let time = 0;
  let last: number | null = null;
  let shown: Colouring = null;
  let frames = 0;
  let lateFrames = 0;

  const draw = () => {
    const frame = frameAt(time);
    drawing.draw(frame);
    const colouring = colouringAt(frame);
    if (colouring === shown) return;
    shown = colouring;
    options.onColouring(colouring);
  };
  const tick = (now: number) => {
    const passed = last === null ? 0 : (now - last) / 1000;
    // After a rest it goes on from where it was.
    time += Math.min(passed, 0.1);
    last = now;
    draw();
    request = requestAnimationFrame(tick);
    frames++;
    if (passed > lateAfter) lateFrames++;
    if (frames < watched) return;
    if (lateFrames >= late && !options.slow) {
      moving = false;
      update();
      options.onRest();
    }
    frames = lateFrames = 0;
  };
  const update = () => {
    const run = moving && visible && document.visibilityState === 'visible';
    if (run && request === 0) request = requestAnimationFrame(tick);
    if (!run && request !== 0) {
      cancelAnimationFrame(request);
      request = 0;
      last = null;
    }
  };
  const fit = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    draw();
  };
  const recolour = () => {
    drawing.setColours(cloudColours());
    if (request === 0) draw();
  };
  const stopped = new AbortController();
  canvas.addEventListener(
    'webglcontextlost',
    () => {
      visible = false;
      update();
    },
    { signal: stopped.signal },
  );
  document.addEventListener('visibilitychange', update, { signal: stopped.signal });
  const size = new ResizeObserver(fit);
  const place = new IntersectionObserver(([entry]) => {
    visible = entry?.isIntersecting ?? true;
    update();
  });
  const theme = new MutationObserver(recolour);
  drawing.setColours(cloudColours());
  // Calls back at once, and so draws the first picture.
  size.observe(canvas);
  place.observe(canvas);
  theme.observe(document.documentElement, { attributeFilter: ['class'] });
  options.onShown();
  update();
  return {
    alive,
    setMoving(next) {
      moving = next && alive;
      update();
    },
    stop() {
      stopped.abort();
      visible = false;
      update();
      for (const observer of [size, place, theme]) observer.disconnect();
    },
  };
}
