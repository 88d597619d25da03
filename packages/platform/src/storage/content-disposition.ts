/**
 * `attachment` with a name that every browser understands (RFC 6266); an empty name leaves it to the address. Without
 * the marks that turn the direction of writing: behind them a name looks as if it ended otherwise than it does.
 */
export function attachment(name: string): string {
  const clean = [...name.replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '_')]
    .slice(0, 200)
    .join('')
    .toWellFormed();
  if (clean === '') return 'attachment';
  const ascii = clean.replaceAll(/[^ -~]/g, '_').replaceAll('"', "'");
  const encoded = encodeURIComponent(clean).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
