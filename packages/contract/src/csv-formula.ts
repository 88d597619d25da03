/**
 * Whether a spreadsheet would run the text of a cell as a formula; the wide forms of East Asian keyboards count as the
 * others. Such a cell of a CSV has an apostrophe before it, which whoever reads the table takes off.
 */
export function isCsvFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

/**
 * Lines that stand above a table. A spreadsheet cuts them at separators like any other line, and would take what begins
 * there as a formula.
 */
export function csvComments(comments: readonly string[]): string {
  return comments
    .map((comment) => {
      const line = comment.replaceAll(/[\r\n]+/g, ' ');
      return `# ${line.replaceAll(/([,;\t] *)(?=[=+\-@＝＋－＠])/g, "$1'")}\n`;
    })
    .join('');
}
