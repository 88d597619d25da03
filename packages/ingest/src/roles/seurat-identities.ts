import type { Column } from '@cellfolio/model';
import { columnTexts } from '../layout/read-column.ts';

/** What Seurat calls the labels that `Idents()` answers. */
export const identitiesColumn = 'active.ident';

/**
 * Adds the identities of cells of a Seurat object to the columns of its metadata, where no column says the same: names
 * that `RenameIdents()` gave are found there alone.
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
