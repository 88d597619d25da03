/** Rows of text as columns of equal width; the last column is left as long as it is. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text from a stranger's file without the control characters that could drive a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '�');
}

function widthOf(text: string): number {
  return [...text].length;
}
