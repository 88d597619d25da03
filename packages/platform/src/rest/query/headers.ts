import { RestError } from '../rest-error.ts';

export interface MediaType {
  form: 'array' | 'object' | 'csv';
  stripNulls: boolean;
  contentType: string;
}

const json: MediaType = {
  form: 'array',
  stripNulls: false,
  contentType: 'application/json; charset=utf-8',
};

/** First available media type of the Accept header. Throws RestError PGRST107. */
export function chooseMediaType(accept: string | undefined): MediaType {
  if (accept === undefined || accept.trim() === '') return json;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const stripNulls = parameters.includes('nulls=stripped');
    if (type === '*/*' || type === 'application/*' || type === 'application/json') return json;
    if (type === 'text/csv' || type === 'text/*') {
      return { form: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' };
    }
    for (const form of ['object', 'array'] as const) {
      if (type === `application/vnd.pgrst.${form}+json` || type === `application/vnd.pgrst.${form}`) {
        const suffix = stripNulls ? ';nulls=stripped' : '';
        return {
          form,
          stripNulls,
          contentType: `application/vnd.pgrst.${form}+json${suffix}; charset=utf-8`,
        };
      }
    }
  }
  throw new RestError(406, 'PGRST107', `None of these media types are available: ${accept.slice(0, 200)}`, {
    hint: 'Ask for application/json, application/vnd.pgrst.object+json or text/csv.',
  });
}

export interface Preferences {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  missing: 'default' | 'null' | undefined;
  return: 'representation' | 'headers-only' | 'minimal' | undefined;
  /**
   * Always counted exactly. An estimate would come from statistics of the whole table, and so reveal rows that the
   * caller may not see.
   */
  count: 'exact' | 'planned' | 'estimated' | undefined;
  handling: 'strict' | 'lenient' | undefined;
  /** Only with `handling=strict`: a change of more rows is rolled back. */
  maxAffected: number | undefined;
}

const allowed = new Map<string, readonly string[]>([
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['missing', ['default', 'null']],
  ['return', ['representation', 'headers-only', 'minimal']],
  ['count', ['exact', 'planned', 'estimated']],
  ['handling', ['strict', 'lenient']],
]);

/** Reads one or several Prefer headers. Ignores unknown ones, unless `handling=strict` requires PGRST122. */
export function parsePreferences(header: string | readonly string[] | undefined): Preferences {
  const parts = [header ?? []].flat().join(',').split(',');
  const preferences = new Map<string, string>();
  const unknown: string[] = [];
  for (const part of parts) {
    const preference = part.trim();
    if (preference === '') continue;
    const [name = '', value = ''] = preference.split('=', 2).map((text) => text.trim());
    const isSupported =
      name === 'max-affected' ? /^\d{1,9}$/.test(value) : (allowed.get(name)?.includes(value) ?? false);
    // The first of a kind counts.
    if (!isSupported) unknown.push(preference);
    else if (!preferences.has(name)) preferences.set(name, value);
  }
  if (preferences.get('handling') === 'strict' && unknown.length > 0) {
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ').slice(0, 200)}`,
    });
  }
  const maxAffected = preferences.get('max-affected');
  return {
    resolution: preferences.get('resolution') as Preferences['resolution'],
    missing: preferences.get('missing') as Preferences['missing'],
    return: preferences.get('return') as Preferences['return'],
    count: preferences.get('count') as Preferences['count'],
    handling: preferences.get('handling') as Preferences['handling'],
    maxAffected:
      preferences.get('handling') === 'strict' && maxAffected !== undefined ? Number(maxAffected) : undefined,
  };
}
