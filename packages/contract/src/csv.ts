/**
 * Whether a spreadsheet would run a cell's text as a formula; full-width characters of East Asian keyboards count too.
 * Such a CSV cell is prefixed with an apostrophe, which readers of the table remove.
 */
function isCsvFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

/**
 * A cell of a CSV file, or of one with another separator: text that a spreadsheet would read as a formula is prefixed
 * with an apostrophe, infinity is written as pandas reads it, a missing number is empty.
 */
export function csvCell(cell: string | number, separator: ',' | '\t' = ','): string {
  if (typeof cell === 'number') {
    if (Number.isNaN(cell)) return '';
    return Number.isFinite(cell) ? String(cell) : cell > 0 ? 'inf' : '-inf';
  }
  const text = isCsvFormula(cell) ? `'${cell}` : cell;
  // A `#` outside quotes would start a comment.
  return /["#\n\r]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Reverses `csvCell`: the original text of a CSV cell. */
export function csvText(cell: string): string {
  return cell.startsWith("'") && isCsvFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

/**
 * Parts of a line that a spreadsheet splits off and reads as a formula; numbers between JSON punctuation are excluded.
 */
const formulaPart = /([,;\t] *)(?=[=+@＝＋－＠]|-(?![\d.]+(?:e[+-]?\d+)?[,\]}]))/gi;

/** JSON that is unchanged inside a comment line, for programs to read. */
export function csvJson(value: unknown): string {
  const escaped = (_: string, before: string, first: string) =>
    `${before}\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return (
    JSON.stringify(value)
      // A text behind a comma is a quoted cell.
      .replaceAll(/(,")([=+\-@＝＋－＠])/g, escaped)
      .replaceAll(new RegExp(`${formulaPart.source}(.)`, 'gi'), escaped)
  );
}

/**
 * Comment lines above a table. A spreadsheet splits them at separators like any other line, and would read a part as a
 * formula.
 */
export function csvComments(comments: readonly string[]): string {
  return comments
    .map((comment) => {
      const line = comment.replaceAll(/[\r\n]+/g, ' ');
      return `# ${line.replaceAll(formulaPart, "$1'")}\n`;
    })
    .join('');
}

/** Original text of such a comment line, without its `#`. */
export function csvCommentText(line: string): string {
  return line.replace(/^# ?/, '').replaceAll(/([,;\t] *)'(?=[=+\-@＝＋－＠])/g, '$1');
}
