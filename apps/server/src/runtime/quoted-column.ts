import { columnTitle } from '@cellfolio/contract';
import { quotedHead } from '@cellfolio/model';

/**
 * A column of obs in a refusal: by the title that pages show, since it was chosen there by it. A name that no column has
 * is told as it was typed.
 * @param own columns that the user named, which are called that
 */
export function quotedColumn(column: string, own?: Parameters<typeof columnTitle>[1]): string {
  return quotedHead(columnTitle(column, own), 80);
}
