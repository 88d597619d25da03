/**
 * Scales the median absolute deviation of a normal distribution to its standard deviation, as scuttle and R's `mad` do.
 */
export const deviationScale = 1.4826;
