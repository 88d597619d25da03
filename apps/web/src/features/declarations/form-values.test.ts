import { composition, type DatasetFacts, field, type OfferedList } from '@cellfolio/analyses';
import { analysisCall } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownListChoice } from '@/features/analyses/index.ts';
import { datasetAnalysis } from '@/testing/fakes.ts';
import { defaultTexts, formState, requestOf } from './form-values.ts';

const { request } = composition;
const set = (name: string) => ({
  name,
  filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] },
});
const form = (change: Record<string, string> = {}) => ({
  ...defaultTexts(request),
  a: JSON.stringify(set('treated')),
  ...change,
});
const samples = { column: 'donor', reason: 'the column of patients' };

test('by default a form requests the shares of cell types of A against the rest', () => {
  expect(requestOf(request, form())).toEqual({
    a: set('treated'),
    unassigned: 'groups',
    transform: 'logit',
    covariates: [],
    pairing: 'auto',
    min_sample_cells: 10,
    pvals_adj: 0.05,
  });
  expect(analysisCall(composition).request.safeParse(requestOf(request, form())).success).toBe(true);
  const other = {
    b: JSON.stringify(set('control')),
    by: '__proto__',
    unassigned: 'left-out',
    transform: 'asin',
    samples: '1',
    covariates: '["batch"]',
    numeric_covariates: '["batch"]',
    pairing: 'none',
    min_sample_cells: '20.7',
    pvals_adj: '0,1',
  };
  expect(requestOf(request, form(other))).toEqual({
    a: set('treated'),
    b: set('control'),
    by: '__proto__',
    unassigned: 'left-out',
    transform: 'asin',
    samples: '1',
    covariates: ['batch'],
    numeric_covariates: ['batch'],
    pairing: 'none',
    min_sample_cells: 20,
    pvals_adj: 0.1,
  });
});

test('a form without A, without samples, or with numbers that the server refuses, cannot run', () => {
  const isComplete = (
    change: Record<string, string>,
    dataset: Parameters<typeof datasetAnalysis>[0] = { samples },
  ) => formState(composition, form(change), datasetAnalysis(dataset)).isComplete;
  expect(isComplete({})).toBe(true);
  expect(isComplete({}, {})).toBe(false);
  expect(isComplete({ samples: 'library' }, {})).toBe(true);
  const refused: Record<string, string>[] = [{ a: '' }, { min_sample_cells: '0' }, { pvals_adj: '2' }];
  for (const wrong of refused) expect(isComplete(wrong)).toBe(false);
});

test('what is kept from another version of the page, and is no value of a field, gives way to its default', () => {
  const storedValues = { transform: 'gone', covariates: 'no JSON', numeric_covariates: '{', b: 'undefined' };
  expect(requestOf(request, form(storedValues))).toEqual(requestOf(request, form()));
});

test('a list of the server or of the user’s own is sent, and one that the server would refuse is not', () => {
  const listed = {
    request: z.object({
      pairs: field(z.string().default('abridged'), { control: 'list', source: 'pairs', also: ['own_pairs'] }),
      own_pairs: z.string().optional(),
    }),
    notes: (_: object, { list }: DatasetFacts) => ({
      pairs: list?.foundCount === 0 ? { problem: 'none' } : { hint: 'some' },
    }),
  };
  const own = 'ligand,receptor\nA,B';
  expect(requestOf(listed.request, { pairs: 'abridged', own_pairs: own })).toEqual({ pairs: 'abridged' });
  expect(requestOf(listed.request, { pairs: ownListChoice, own_pairs: own })).toEqual({ own_pairs: own });
  const dataset = datasetAnalysis();
  const isComplete = (form: Record<string, string>, lists?: readonly OfferedList[], of = dataset) =>
    formState(listed, form, of, lists).isComplete;
  const list = {
    name: 'abridged',
    title: '',
    about: '',
    species: 'human',
    total: 2,
    foundCount: 1,
    largestType: 1,
  };
  expect(isComplete({ pairs: 'abridged' })).toBe(true);
  expect(isComplete({ pairs: 'abridged' }, [list])).toBe(true);
  expect(isComplete({ pairs: 'abridged' }, [{ ...list, foundCount: 0 }])).toBe(false);
  const rat = datasetAnalysis({ species: { name: 'rat', mapped: [], named_as_human: false } });
  expect(isComplete({ pairs: 'abridged' }, [list], rat)).toBe(false);
  expect(isComplete({ pairs: ownListChoice, own_pairs: own }, [list], rat)).toBe(true);
  expect(isComplete({ pairs: ownListChoice, own_pairs: '' })).toBe(false);
  expect(isComplete({ pairs: ownListChoice, own_pairs: 'A,B' })).toBe(false);
});
