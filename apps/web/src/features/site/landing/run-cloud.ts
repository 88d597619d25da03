import { bannerFacts, loadBannerCells } from './banner-cells.ts';
import { cloudColours, createCloudDrawing } from './cloud-drawing.ts';
import type { CloudFrame, Colouring } from './cloud-drawing.ts';
import { createPixelDrawing } from './pixel-drawing.ts';

export interface Cloud {
  /** `false` pauses it. It also pauses off the screen and in a hidden tab. */
  setMoving: (moving: boolean) => void;
  stop: () => void;
}

interface CloudOptions {
  moving: boolean;
  onShown: () => void;
  onColouring: (colouring: Colouring) => void;
}

/** From this frame interval on (seconds) a timer schedules frames: requesting every animation frame would cost more. */
const seldom = 1 / 30;

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
    setMoving(shouldMove) {
      moving = shouldMove;
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

const round: readonly Colouring[] = [null, ...bannerFacts.genes.keys()];
const [holding, blending] = [6, 1.1];
const each = holding + blending;

export function frameAt(time: number): CloudFrame {
  const turn = Math.floor(time / each);
  const into = time - turn * each - holding;
  const from = round[turn % round.length] ?? null;
  const to = round[(turn + 1) % round.length] ?? null;
  const linear = Math.max(0, into / blending);
  return { time, from, to, blend: linear * linear * (3 - 2 * linear) };
}

export function colouringAt(frame: CloudFrame): Colouring {
  return frame.blend < 0.5 ? frame.from : frame.to;
}

/** Maximum seconds between two frames: slower is no motion. */
const longest = 0.25;
const share = 0.1;
/**
 * Number of last frames watched, how many of them may be late, and by how many seconds, before the frame rate is
 * reduced.
 */
const [watched, late, lateBy] = [30, 15, 0.03];

interface FramePace {
  interval: () => number;
  drawn: (passed: number, work: number) => void;
}

/**
 * Adapts the frame rate: an interval of `shortest` seconds, or longer if drawing takes more than a tenth of the main
 * thread, or if frames come late for another reason, such as a weak GPU. It never stops.
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
