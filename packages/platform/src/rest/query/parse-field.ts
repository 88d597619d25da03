import type { Field, JsonStep } from './request-query.ts';
import type { Scanner } from './scanner.ts';

/** Places in JSON arrays are 32-bit numbers in PostgreSQL. */
const maxPlace = 2 ** 31 - 1;

/** `name`, `name->key`, `name->0->>"odd key"`. */
export function parseField(scanner: Scanner): Field {
  const name = scanner.name();
  return { name, path: parsePath(scanner) };
}

export function parsePath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  while (scanner.sees('->')) {
    const asText = scanner.takes('->>');
    if (!asText) scanner.expects('->');
    const place = scanner.matches(/-?\d+(?=$|->|[.,:()])/y)?.[0];
    if (place !== undefined && Math.abs(Number(place)) > maxPlace) scanner.fail('a smaller number');
    path.push({ key: place === undefined ? scanner.name() : Number(place), asText });
  }
  return path;
}
