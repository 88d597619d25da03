/** A script without its comments, which stand on lines of their own, and without indentation. */
export function compactScript(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}
