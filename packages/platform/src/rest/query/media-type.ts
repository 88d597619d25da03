import { RestError } from '../rest-error.ts';

/** How the rows of an answer are written. */
export interface MediaType {
  readonly form: 'array' | 'object' | 'csv';
  /** Leave out keys without a value. */
  readonly stripNulls: boolean;
  /** `Content-Type` of the answer. */
  readonly contentType: string;
}

const json: MediaType = {
  form: 'array',
  stripNulls: false,
  contentType: 'application/json; charset=utf-8',
};

/** The first of the media types in the Accept header that is available. Throws RestError PGRST107. */
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
