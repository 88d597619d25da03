import type { ByteRange } from '@cellfolio/bytes';

/**
 * The one range that a Range header asks of so many bytes. Undefined: the whole (no header, another unit, several
 * ranges, nonsense; RFC 9110 lets a server pass over all of them). `unsatisfiable`: it begins past the end.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(' ', '') ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < offset) return undefined;
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 };
}
