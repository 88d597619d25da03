import type { Column } from '@cellfolio/model';
import { columnTexts } from '../layout/read-column.ts';

/** Column name for the labels that Seurat's `Idents()` returns. */
export const identitiesColumn = 'active.ident';

/**
 * Adds the identities of a Seurat object to its metadata columns unless a column has the same labels: names from
 * `RenameIdents()` exist only there.
 */
export function addIdentities(columns: Map<string, Column>, identities: Column | undefined): void {
  if (identities?.kind !== 'categorical' || identities.categories.length < 2 || columns.has(identitiesColumn))
    return;
  const labels = columnTexts(identities)!;
  const isKnown = [...columns.values()].some(
    (other) => columnTexts(other)?.every((text, row) => text === labels[row]) === true,
  );
  if (!isKnown) columns.set(identitiesColumn, identities);
}
