import { parseField } from './parse-field.ts';
import type { OrderTerm } from './request-query.ts';
import { Scanner } from './scanner.ts';

/** `order=`: `a.desc.nullslast,b,related(c).asc`. Throws RestError PGRST100. */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    scanner.spaces();
    terms.push(parseTerm(scanner));
  } while (scanner.takes(','));
  if (!scanner.done) scanner.fail('"," or the end');
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm {
  const start = scanner.at;
  let relation: string | undefined = scanner.name();
  if (scanner.takes('(')) {
    // The column is inside the parentheses.
  } else {
    relation = undefined;
    scanner.at = start;
  }
  const field = parseField(scanner);
  if (relation !== undefined) scanner.expects(')');
  const direction = scanner.matches(/\.(asc|desc)(?=$|[.,])/y)?.[1];
  const nulls = scanner.matches(/\.nulls(first|last)(?=$|,)/y)?.[1] as 'first' | 'last' | undefined;
  return {
    ...(relation !== undefined && { relation }),
    field,
    descending: direction === 'desc',
    ...(nulls && { nulls }),
  };
}
