/**
 * Whether a spreadsheet would run the text of a cell as a formula; the wide forms of East Asian keyboards count as the
 * others. Such a cell of a CSV has an apostrophe before it, which whoever reads the table takes off.
 */
export function isCsvFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}
