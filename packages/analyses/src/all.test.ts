import { expect, test } from 'vitest';
import { z } from 'zod';
import { declarations, formOf } from './all.ts';
import { computations } from './computations.ts';
import { kindsOf, unwrapped } from './form.ts';
import { analyses } from './server-analyses.ts';

test('each analysis has an id, a path and a title of its own, and a folder with its three files', async () => {
  for (const field of ['id', 'path', 'title'] as const) {
    expect(new Set(declarations.map((one) => one[field])).size).toBe(declarations.length);
  }
  expect(analyses.map(({ declaration }) => declaration)).toEqual(declarations);
  for (const { load } of computations) {
    for (const step of Object.values(await load())) expect(step).toBeTypeOf('function');
  }
});

test.each(declarations.map((one) => [one.id, one] as const))(
  'every field of %s has one control, and every choice a label',
  (_, { request }) => {
    expect(Object.keys(request.shape)).not.toEqual([]);
    expectControls(request, [], []);
  },
);

test('every field of a request says what it is, for the documentation and the API', () => {
  const undescribed = declarations.flatMap(({ id, request }) =>
    Object.entries(request.shape as Record<string, z.ZodType>).flatMap(([name, schema]) =>
      (schema.description ?? unwrapped(schema).inner.description) ? [] : [`${id}: ${name}`],
    ),
  );
  expect(undescribed).toEqual([]);
});

/** `without` are fields that need no control, `outer` those around it. */
function expectControls(request: z.ZodObject, without: readonly string[], outer: readonly string[]): void {
  const fields = Object.entries(request.shape as Record<string, z.ZodType>);
  const names = fields.map(([name]) => name);
  const forms = fields.flatMap(([name, schema]) => {
    const form = formOf(schema);
    return form ? [{ name, schema, form }] : [];
  });
  const controlled = forms.flatMap(({ name, form }) => [name, ...(form.also ?? [])]);
  const needed = names.filter((name) => !without.includes(name));
  expect(controlled.toSorted()).toEqual(needed.toSorted());
  const related = forms.flatMap(({ form }) => form.of ?? []);
  expect([...names, ...outer]).toEqual(expect.arrayContaining(related));
  for (const { form, schema } of forms.filter(({ form: { control } }) => control === 'variants')) {
    const kinds = kindsOf(schema);
    expect(Object.keys(form.choices ?? {}).toSorted()).toEqual(kinds.map(({ kind }) => kind).toSorted());
    // The least number of genes of a score has no control.
    for (const { fields: ofKind } of kinds) expectControls(ofKind, ['minimum_genes'], names);
  }
  for (const { form, schema } of forms) {
    const emptied = (form.empties ?? []).map((name) => name.split('.')[0]);
    expect(names).toEqual(expect.arrayContaining(emptied));
    if (form.control !== undefined) continue;
    const { type, enum: values } = z.toJSONSchema(schema, { io: 'input' });
    expect(['string', 'number', 'integer', 'boolean']).toContain(type);
    // A boolean without choices is a check.
    const choices = type === 'boolean' && form.choices ? ['true', 'false'] : (values ?? []);
    expect(Object.keys(form.choices ?? {}).toSorted()).toEqual(choices.toSorted());
    expect(form.label ?? schema.meta()?.title).toBeTruthy();
  }
}
