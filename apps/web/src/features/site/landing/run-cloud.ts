import { bannerFacts, loadBannerCells } from './banner-cells.ts';
import { cloudColours, createCloudDrawing } from './cloud-drawing.ts';
import type { CloudFrame, Colouring } from './cloud-drawing.ts';
import { createPixelDrawing } from './pixel-drawing.ts';

export interface Cloud {
  /** `false` holds it where it is. It also rests by itself off the screen and in a hidden tab. */
  setMoving: (moving: boolean) => void;
  stop: () => void;
}

interface CloudOptions {
  moving: boolean;
  /** The first picture is there. */
  onShown: () => void;
  onColouring: (colouring: Colouring) => void;
}

/** From here on (seconds) a frame is waited for by a timer: asking for each of the screen's would cost more. */
const seldom = 1 / 30;

/** Loads the cells and draws them on a canvas that the page has laid out, until it is stopped. */
export async function runCloud(
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
  options: CloudOptions,
): Promise<Cloud | null> {
  const cells = await loadBannerCells(signal);
  if (signal.aborted) return null;
  const drawing = createCloudDrawing(canvas, cells) ?? createPixelDrawing(canvas, cells);
  if (drawing === null) return null;
  const pace = createFramePace(drawing.shortestInterval);

  let moving = options.moving;
  let visible = true;
  let request = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let time = 0;
  let last: number | null = null;
  let shown: Colouring = null;

  const draw = () => {
    const frame = frameAt(time);
    drawing.draw(frame);
    const colouring = colouringAt(frame);
    if (colouring === shown) return;
    shown = colouring;
    options.onColouring(colouring);
  };
  const tick = (now: number) => {
    const passed = last === null ? pace.interval() : (now - last) / 1000;
    // After a rest it goes on from where it was.
    time += Math.min(passed, 0.3);
    last = now;
    const began = performance.now();
    draw();
    pace.drawn(passed, (performance.now() - began) / 1000);
    next();
  };
  const next = () => {
    const ask = () => (request = requestAnimationFrame(tick));
    const interval = pace.interval();
    if (interval < seldom) ask();
    else timer = setTimeout(ask, 1000 * interval - 8);
  };
  const update = () => {
    const run = moving && visible && document.visibilityState === 'visible';
    if (run === running) return;
    running = run;
    if (run) return next();
    clearTimeout(timer);
    cancelAnimationFrame(request);
    last = null;
  };
  const fit = () => {
    const ratio = Math.min(devicePixelRatio, drawing.maxPixelRatio);
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    draw();
  };
  const recolour = () => {
    drawing.setColours(cloudColours());
    if (!running) draw();
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
    setMoving(wanted) {
      moving = wanted;
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

/** By cell type first, then gene after gene, and round again. */
const round: readonly Colouring[] = [null, ...bannerFacts.genes.keys()];
const [held, blending] = [6, 1.1];
const each = held + blending;

/** What the cloud shows after so many seconds of running. */
export function frameAt(time: number): CloudFrame {
  const turn = Math.floor(time / each);
  const into = time - turn * each - held;
  const from = round[turn % round.length] ?? null;
  const to = round[(turn + 1) % round.length] ?? null;
  const linear = Math.max(0, into / blending);
  return { time, from, to, blend: linear * linear * (3 - 2 * linear) };
}

/** The name for the legend; it changes halfway between two colourings. */
export function colouringAt(frame: CloudFrame): Colouring {
  return frame.blend < 0.5 ? frame.from : frame.to;
}

/** Longest time from one frame to the next, in seconds: slower is no motion. */
const longest = 0.25;
/** Share of the main thread that drawing may take. */
const share = 0.1;
/** Of the last frames, how many may come so much later than planned (in seconds) before fewer are asked for. */
const [watched, late, lateBy] = [30, 15, 0.03];

interface FramePace {
  /** Seconds from the last frame to the next. */
  interval: () => number;
  /** A frame was drawn so many seconds after the last one, and took the main thread so many. */
  drawn: (passed: number, work: number) => void;
}

/**
 * How often to draw: as often as `shortest` (seconds) says, less often where that takes more than a tenth of the main
 * thread, or where frames come late because something else is busy with them, such as a weak graphics processor. It
 * never stops.
 */
export function createFramePace(shortest: number): FramePace {
  let planned = shortest;
  let averageWork = 0;
  let frames = 0;
  let lateFrames = 0;
  const interval = () => Math.min(longest, Math.max(planned, averageWork / share));
  return {
    interval,
    drawn(passed, work) {
      if (passed > interval() + lateBy) lateFrames++;
      averageWork = averageWork === 0 ? work : averageWork + (work - averageWork) / 8;
      if (++frames < watched) return;
      if (lateFrames >= late) planned = Math.min(longest, planned * 2);
      frames = lateFrames = 0;
    },
  };
}
