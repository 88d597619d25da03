/** How long an object store over the network may take, and how often it is asked again. */
export interface Patience {
  /** Asked at most so often, the first time included. */
  readonly attempts: number;
  /** Before the second attempt, in milliseconds; doubled for each further one, and a random half of it left out. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Milliseconds until a connection stands, and in which something must be heard. */
  readonly connect: number;
  readonly answer: number;
  /** Slower than that over a whole body counts as hanging. */
  readonly bytesPerSecond: number;
}

/** Somebody waits for a picture: half a minute of silence in all, then a clear error. */
export const usualPatience: Patience = {
  attempts: 4,
  firstPause: 100,
  longestPause: 2000,
  connect: 5000,
  answer: 8000,
  bytesPerSecond: 50_000,
};

/** The object store said nothing, or went on too slowly. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`it did not answer within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** Milliseconds that a request with a body of `bytes` may take. */
export function timeFor(patience: Patience, bytes: number): number {
  return patience.answer + (bytes * 1000) / patience.bytesPerSecond;
}

/** Milliseconds before attempt `next` (the second is 2). */
export function pauseBefore(patience: Patience, next: number, random: number): number {
  const whole = Math.min(patience.longestPause, patience.firstPause * 2 ** (next - 2));
  return whole * (0.5 + random / 2);
}
