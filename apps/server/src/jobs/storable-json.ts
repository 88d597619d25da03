/**
 * JSON that PostgreSQL takes: names come from strangers' files, and jsonb knows neither the character NUL nor half a
 * surrogate pair.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storableText(one) : one));
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
