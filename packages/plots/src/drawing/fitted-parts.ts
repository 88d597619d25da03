import type { CommonSpec } from './figure.ts';

/** What a size leaves out of a figure: in rows and columns, and parts by whether it has room for them. */
export function fittedWith(
  leftOut: string,
  parts: Readonly<Record<string, boolean>>,
): NonNullable<CommonSpec['fitted']> {
  const without = Object.entries(parts).flatMap(([part, hasRoom]) => (hasRoom ? [] : [part]));
  return { leftOut, ...(without.length > 0 && { without }) };
}
