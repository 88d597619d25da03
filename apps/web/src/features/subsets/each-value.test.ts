import { expect, test } from 'vitest';
import { eachValueDrafts, hasField } from './each-value.ts';
import { emptyConfig, emptyDraft, type SubsetDraft } from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';

const by = (field: string, values: string[], name = ''): SubsetDraft => ({
  ...emptyDraft(),
  name,
  config: {
    ...emptyConfig(),
    activeFilterTypes: ['celltype', 'metadata'],
    cellTypeFilter: { cellTypes: ['Regulatory T'] },
    metadataFilter: {
      selectedFields: [field, 'stage'],
      patientMetadata: Object.fromEntries([
        [field, values],
        ['stage', ['II']],
      ]),
    },
  },
});

test('each value has a subset with all other filters, named by cell types and value', () => {
  const draft = by('treatment', ['Untreated', 'Anti-PD-1']);
  const drafts = eachValueDrafts(draft, 'treatment');
  expect(drafts.map(({ name }) => name)).toEqual(['Regulatory T · Untreated', 'Regulatory T · Anti-PD-1']);
  expect(filterPayload('x', drafts[1]!.config)).toMatchObject({
    cell_type: ['Regulatory T'],
    patient_metadata: { treatment: ['Anti-PD-1'], stage: ['II'] },
  });
  // The form is as it was.
  expect(draft).toEqual(by('treatment', ['Untreated', 'Anti-PD-1']));
});

test('a name that was given is the beginning of each, and cut before the value is', () => {
  expect(eachValueDrafts(by('treatment', ['a'], ' Tregs '), 'treatment')[0]!.name).toBe('Tregs · a');
  const [long] = eachValueDrafts(by('treatment', ['Untreated'], 'x'.repeat(300)), 'treatment');
  expect(long!.name).toHaveLength(200);
  expect(long!.name).toMatch(/x · Untreated$/);
});

test('a field named like a part of every object is one like others', () => {
  const [draft] = eachValueDrafts(by('__proto__', ['a', 'b']), '__proto__');
  expect(Object.entries(draft!.config.metadataFilter.patientMetadata)).toContainEqual(['__proto__', ['a']]);
});

test('a field counts where metadata are filtered by it', () => {
  const draft = by('treatment', ['a']);
  expect(hasField(draft, 'treatment')).toBe(true);
  expect(hasField(draft, 'sex')).toBe(false);
  const off: SubsetDraft = { ...draft, config: { ...draft.config, activeFilterTypes: ['celltype'] } };
  expect(hasField(off, 'treatment')).toBe(false);
});
