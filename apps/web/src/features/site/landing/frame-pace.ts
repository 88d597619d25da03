/** Longest time from one frame to the next, in seconds: slower is no motion. */
const longest = 0.25;
/** Share of the main thread that drawing may take. */
const share = 0.1;
/** Of the last frames, how many may come so much later than planned (in seconds) before fewer are asked for. */
const [watched, late, lateBy] = [30, 15, 0.03];

export interface FramePace {
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
  let usualWork = 0;
  let frames = 0;
  let lateFrames = 0;
  const interval = () => Math.min(longest, Math.max(planned, usualWork / share));
  return {
    interval,
    drawn(passed, work) {
      if (passed > interval() + lateBy) lateFrames++;
      usualWork = usualWork === 0 ? work : usualWork + (work - usualWork) / 8;
      if (++frames < watched) return;
      if (lateFrames >= late) planned = Math.min(longest, planned * 2);
      frames = lateFrames = 0;
    },
  };
}
