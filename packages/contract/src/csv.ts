/**
 * Whether a spreadsheet would run the text of a cell as a formula; the wide forms of East Asian keyboards count as the
 * others. Such a cell of a CSV has an apostrophe before it, which readers of the table remove.
 */
function isCsvFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

/**
 * A cell of a CSV file, or of one with another separator: a text that a spreadsheet would take for a formula gets an
 * apostrophe before it, infinity is written as pandas reads it, and a missing number is empty.
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

/** The text of a cell of a CSV file as it was before `csvCell` made it harmless. */
export function csvText(cell: string): string {
  return cell.startsWith("'") && isCsvFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Parts of a line that a spreadsheet splits off and takes for a formula; a number between the marks of JSON is none. */
const formulaPart = /([,;\t] *)(?=[=+@＝＋－＠]|-(?![\d.]+(?:e[+-]?\d+)?[,\]}]))/gi;

/** JSON that stands in a comment as it is, for programs to read. */
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
 * Lines that stand above a table. A spreadsheet cuts them at separators like any other line, and would take what begins
 * there as a formula.
 */
export function csvComments(comments: readonly string[]): string {
  return comments
    .map((comment) => {
      const line = comment.replaceAll(/[\r\n]+/g, ' ');
      return `# ${line.replaceAll(formulaPart, "$1'")}\n`;
    })
    .join('');
}

/** The text of such a line, without its `#`, as it was before. */
export function csvCommentText(line: string): string {
  return line.replace(/^# ?/, '').replaceAll(/([,;\t] *)'(?=[=+\-@＝＋－＠])/g, '$1');
}
