import { minPValue } from '@cellfolio/contract';
import { pluralWord } from '@cellfolio/model';
import { isPValue, type ResultTable } from './result-csv.ts';

/** Rows of each end. */
export const endRows = 5;

/**
 * The first and last five rows as an HTML table with escaped cells; `empty` is its text without rows. Of a long table
 * `rows` may be these alone, of `rowCount`.
 */
export function previewTable({ columns, rows }: ResultTable, empty: string, rowCount = rows.length): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body =
    rows.length === 0
      ? `<tr><td colspan="${columns.length}">${escapeHtml(empty)}</td></tr>`
      : previewRows(rows, columns, rowCount);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function previewRows(rows: ResultTable['rows'], columns: ResultTable['columns'], rowCount: number): string {
  const htmlRow = rowOf(columns.map(isPValue));
  if (rowCount <= 2 * endRows) return rows.map(htmlRow).join('');
  const left = rowCount - 2 * endRows;
  const gap = `<tr><td colspan="${columns.length}">… ${left} more ${pluralWord(left, 'row')} …</td></tr>`;
  return [...rows.slice(0, endRows).map(htmlRow), gap, ...rows.slice(-endRows).map(htmlRow)].join('');
}

function rowOf(hasPValues: readonly boolean[]): (row: readonly (string | number)[]) => string {
  const text = (cell: string | number, place: number) => {
    if (typeof cell !== 'number') return cell;
    return hasPValues[place] && cell < minPValue ? `< ${minPValue.toPrecision(2)}` : numberText(cell);
  };
  return (row) => `<tr>${row.map((cell, at) => `<td>${escapeHtml(text(cell, at))}</td>`).join('')}</tr>`;
}

/** Four significant digits; very small and very large ones as powers of ten. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(3);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
