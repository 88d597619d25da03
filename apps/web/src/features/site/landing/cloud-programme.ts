import { bannerFacts } from './banner-cells.ts';
import type { CloudFrame, Colouring } from './cloud-drawing.ts';

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
