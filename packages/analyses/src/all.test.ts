import { expect, test } from 'vitest';
import { z } from 'zod';
import { declarations, formOf } from './all.ts';
import { computations } from './computations.ts';
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
    const fields = Object.entries(request.shape as Record<string, z.ZodType>);
    const names = fields.map(([name]) => name);
    const forms = fields.flatMap(([name, schema]) => {
      const form = formOf(schema);
      return form ? [{ name, schema, form }] : [];
    });
    const controlled = forms.flatMap(({ name, form }) => [name, ...(form.also ?? [])]);
    expect(controlled.toSorted()).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(forms.flatMap(({ form }) => form.of ?? [])));
    const ofSchema = forms.filter(({ form }) => form.control === undefined);
    for (const { form, schema } of ofSchema) {
      const { type, enum: values } = z.toJSONSchema(schema, { io: 'input' });
      expect(['string', 'number', 'integer', 'boolean']).toContain(type);
      expect(Object.keys(form.choices ?? {})).toEqual(values ?? []);
      expect(form.label ?? schema.meta()?.title).toBeTruthy();
    }
  },
);
