import type { Field, JsonStep } from './request-query.ts';
import type { Scanner } from './scanner.ts';

/** Places in JSON arrays are 32-bit numbers in PostgreSQL. */
const maxPlace = 2 ** 31 - 1;

/** Each step is an operator around the one before it, and PostgreSQL's reader is recursive. */
const maxSteps = 20;

/** `name`, `name->key`, `name->0->>"odd key"`. */
export function parseField(scanner: Scanner): Field {
  const name = scanner.name();
  return { name, path: parsePath(scanner) };
}

export function parsePath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  while (scanner.sees('->')) {
    if (path.length === maxSteps) scanner.fail(`at most ${maxSteps} steps`);
    const asText = scanner.takes('->>');
    if (!asText) scanner.expects('->');
    const place = scanner.matches(/-?\d+(?=$|->|[.,:()])/y)?.[0];
    if (place !== undefined && Math.abs(Number(place)) > maxPlace) scanner.fail('a smaller number');
    path.push({ key: place === undefined ? scanner.name() : Number(place), asText });
  }
  return path;
}
