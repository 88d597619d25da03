/** Percentiles from 0 to 100, `min` not above `max`. */
export interface PercentileRange {
  readonly min: number;
  readonly max: number;
}

/** A range of percentiles that cannot be applied; the message says what to enter instead. */
export class InvalidPercentiles extends Error {
  override readonly name = 'InvalidPercentiles';
  readonly range: PercentileRange;
  constructor(range: PercentileRange, message: string) {
    super(message);
    this.range = range;
  }
}

/** Throws InvalidPercentiles unless both ends are numbers from 0 to 100 and the minimum is not above the maximum. */
export function checkPercentiles(range: PercentileRange): void {
  for (const [end, value] of [
    ['minimum', range.min],
    ['maximum', range.max],
  ] as const) {
    if (!Number.isFinite(value)) {
      throw new InvalidPercentiles(
        range,
        `The ${end} percentile is not a number: enter a number from 0 to 100.`,
      );
    }
    if (value < 0 || value > 100) {
      throw new InvalidPercentiles(range, `The ${end} percentile is ${value}: enter a number from 0 to 100.`);
    }
  }
  if (range.min > range.max) {
    throw new InvalidPercentiles(
      range,
      `The minimum percentile (${range.min}) is above the maximum (${range.max}): enter a minimum that is not above the maximum.`,
    );
  }
}
