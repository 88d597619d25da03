import type { z } from 'zod';

/**
 * Error map for all request validation: describes a field's problem as a sentence that says what to send instead. A
 * schema with its own message keeps it.
 */
export function requestProblem(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expectedKind = kinds[issue.expected] ?? issue.expected;
      return issue.input === undefined || issue.input === null
        ? `This is required: give ${expectedKind}.`
        : `Give ${expectedKind}, not ${kindOf(issue.input)}.`;
    }
    case 'invalid_value':
      return issue.values.length === 1
        ? `Give ${shown(issue.values[0])}.`
        : `Give one of ${issue.values.map(shown).join(', ')}.`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return `Give at most ${amount(issue.origin, issue.maximum)}.`;
    case 'invalid_union': {
      const kindNames = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
      return kindNames.length > 0
        ? `Give one of ${kindNames.map(shown).join(', ')}.`
        : 'Give a value of one of the kinds that the description of this call names.';
    }
    case 'unrecognized_keys':
      return `Leave out ${issue.keys.map(shown).join(', ')}: this call has no such field.`;
    case 'invalid_format':
      return 'This is not written as it must be; see the description of this call.';
    default:
      return 'This value cannot be taken; see the description of this call.';
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (minimum === 1 && origin === 'string') return 'This must not be empty.';
  return inclusive === false
    ? `Give more than ${amount(origin, minimum)}.`
    : `Give at least ${amount(origin, minimum)}.`;
}

function amount(origin: string, limit: number | bigint): string {
  const one = limit === 1;
  if (origin === 'string') return `${limit} ${one ? 'character' : 'characters'}`;
  if (origin === 'array') return `${limit} ${one ? 'entry' : 'entries'}`;
  return `${limit}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
  return kinds[typeof value] ?? typeof value;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
