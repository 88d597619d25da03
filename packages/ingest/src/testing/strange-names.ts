/** Names as strangers may give them to cells, genes, columns and files. */
export const strangeNames: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../../../tmp/outside',
  '/absolute',
  'a/b',
  '__proto__',
  'constructor',
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("x")',
  "'; DROP TABLE cells; --",
  '\u202Egpj.exe',
  'e\u0301\u{1F9EC}',
  'N'.repeat(100_000),
];
