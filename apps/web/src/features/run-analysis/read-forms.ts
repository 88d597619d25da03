import type { EnrichmentForm } from './enrichment-form.ts';
import { enrichmentDefaults } from './enrichment-form.ts';
import type { MarkerForm } from './marker-form.ts';
import { markerDefaults } from './marker-form.ts';

/** Remembered forms, as whoever can write to web storage may have left them. */
export function readMarkerForm(value: unknown): MarkerForm | undefined {
  return readTextFields(value, markerDefaults);
}

export function readEnrichmentForm(value: unknown): EnrichmentForm | undefined {
  return readTextFields(value, enrichmentDefaults);
}

function readTextFields<Form extends { [Key in keyof Form]: string }>(
  value: unknown,
  defaults: Form,
): Form | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = new Map(Object.entries(value));
  const fields = Object.entries<string>(defaults).map(([field, standard]) => {
    const text: unknown = stored.get(field);
    return [field, typeof text === 'string' ? text : standard];
  });
  return Object.fromEntries(fields) as Form;
}
