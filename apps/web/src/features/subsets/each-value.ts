import type { SubsetDraft } from './filter-config.ts';
import { maxSubsetNameLength } from './filter-payload.ts';

export const maxAtOnce = 12;

export function hasField({ config }: SubsetDraft, field: string): boolean {
  return (
    config.activeFilterTypes.includes('metadata') && config.metadataFilter.selectedFields.includes(field)
  );
}

/**
 * A draft for each ticked value of a metadata field, all other filters unchanged. Its name is the draft's name, else
 * its cell types, followed by the value.
 */
export function eachValueDrafts(draft: SubsetDraft, field: string): SubsetDraft[] {
  const { config } = draft;
  const { metadataFilter } = config;
  const cellTypes = config.activeFilterTypes.includes('celltype') ? config.cellTypeFilter.cellTypes : [];
  const base = draft.name.trim() || cellTypes.join(', ');
  const valuesByField = new Map(Object.entries(metadataFilter.patientMetadata));
  const only = (value: string): SubsetDraft => ({
    ...draft,
    name: nameOf(base, value),
    config: {
      ...config,
      metadataFilter: {
        ...metadataFilter,
        patientMetadata: Object.fromEntries(new Map(valuesByField).set(field, [value])),
      },
    },
  });
  return (valuesByField.get(field) ?? []).map(only);
}

/** Truncates the base, since the value is what distinguishes the names. */
function nameOf(base: string, value: string): string {
  const end = value.trim().slice(0, maxSubsetNameLength);
  const room = maxSubsetNameLength - end.length - 3;
  return base === '' || room < 1 ? end : `${base.slice(0, room)} · ${end}`;
}
