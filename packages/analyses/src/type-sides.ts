import type { FilterRequest } from '@cellfolio/analysis/parameters';

/** The part of a filter that types and selections are in. */
type TypeFilter = Pick<
  FilterRequest,
  'cell_type_filter' | 'cell_type' | 'patient_metadata_filter' | 'patient_metadata' | 'cells_filter'
>;

/** The types or clusters that a filter chooses, by field. @param isOfTypes whether a field of metadata has such */
export function chosenTypes(
  filter: TypeFilter,
  isOfTypes: (field: string) => boolean,
): { readonly field: string; readonly names: readonly string[] }[] {
  const { cell_type: types, patient_metadata: metadata } = filter;
  const fields = filter.patient_metadata_filter ? Object.entries(metadata ?? {}) : [];
  return [
    ...(filter.cell_type_filter ? [{ field: '', names: types ?? [] }] : []),
    ...fields.flatMap(([field, names]) => (isOfTypes(field) ? [{ field, names }] : [])),
  ];
}

/**
 * Whether types tell two sides of a comparison apart: they choose different types or clusters, or cells on a map, which is
 * made from what types are. The types of such sides differ because they are what is compared.
 * @param b undefined for all other cells
 */
export function areSidesOfTypes(
  a: TypeFilter,
  b: TypeFilter | undefined,
  isOfTypes: (field: string) => boolean,
): boolean {
  if (a.cells_filter || b?.cells_filter) return true;
  const types = (filter: TypeFilter | undefined) =>
    (filter ? chosenTypes(filter, isOfTypes) : []).map(({ field, names }) =>
      JSON.stringify([field, names.toSorted()]),
    );
  return JSON.stringify(types(a).toSorted()) !== JSON.stringify(types(b).toSorted());
}
