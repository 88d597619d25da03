/** Part of a whole in percent; what is not nothing is not 0, and what is not all is not 100. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '0 %';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 0.1) return '< 0.1 %';
  if (part < whole && percent > 99.9) return '> 99.9 %';
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
}

/** A value of expression or of a score, in four digits. */
export function valueText(value: number): string {
  return String(Number(value.toPrecision(4)));
}
