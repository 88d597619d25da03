import { sequence } from './number-spill.ts';
import type { RAttributes, RNumbers, RValue } from './r-value.ts';

/**
 * A vector that R stored in a compact form (ALTREP of "R Internals"): by a rule, or within another object. `count`
 * receives the number of texts created. Undefined for an unknown or invalid form.
 */
export async function plainVector(
  form: string,
  state: RValue,
  { attributes, count }: { attributes: RAttributes; count: (texts: number) => void },
): Promise<RValue | undefined> {
  if (form === 'compact_intseq' || form === 'compact_realseq') {
    const kind = form === 'compact_intseq' ? 'integer' : 'double';
    const numbers = state.type === 'numbers' ? await sequenceOf(kind, state.numbers) : undefined;
    return numbers && { type: 'numbers', numbers, attributes };
  }
  const inner = state.type === 'list' ? state.items[0] : undefined;
  if (inner !== undefined && form.startsWith('wrap_'))
    return attributes.size > 0 && 'attributes' in inner ? { ...inner, attributes } : inner;
  if (inner?.type !== 'numbers' || form !== 'deferred_string') return undefined;
  count(inner.numbers.length);
  return { type: 'strings', strings: await written(inner.numbers), attributes };
}

async function sequenceOf(kind: 'integer' | 'double', rule: RNumbers): Promise<RNumbers | undefined> {
  if (rule.length < 3) return undefined;
  const [length, first, step] = (await rule.read(0, 3)) as unknown as [number, number, number];
  return length >= 0 && length < 2 ** 40 ? sequence(kind, { length, first, step }) : undefined;
}

/** Numbers as as.character() writes them: with fifteen digits. */
async function written(numbers: RNumbers): Promise<string[]> {
  const digits = numbers.kind === 'double' ? 15 : 10;
  const values = await numbers.read(0, numbers.length);
  return Array.from(values, (value) => String(Number(value.toPrecision(digits))));
}
