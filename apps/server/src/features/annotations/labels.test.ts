import type { AnnotationChange } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { changeLabels, type Labels, type LookedUpChange } from './labels.ts';

test('a group keeps its Cell Ontology term under another name, color and merged, until it is taken away', () => {
  const term = { id: 'CL:0000084', label: 'T cell' };
  let labels: Labels = {
    groups: [
      { name: 'a', colour: '#000000' },
      { name: 'b', colour: '#ffffff' },
    ],
    codes: Int8Array.of(0, 1, -1),
  };
  const changed = (change: AnnotationChange) => {
    const { labels: next, ...about } = changeLabels(labels, change as LookedUpChange);
    labels = next;
    return about;
  };
  expect(changed({ change: 'term', group: 'a', term })).toEqual({
    words: 'Gave “a” the term T cell (CL:0000084)',
    cells: 0,
  });
  changed({ change: 'rename', group: 'a', name: 'mine' });
  changed({ change: 'colour', group: 'mine', colour: '#112233' });
  changed({ change: 'merge', groups: ['mine', 'b'], name: 'mine' });
  expect(labels.groups).toEqual([{ name: 'mine', colour: '#112233', term }]);
  changed({ change: 'term', group: 'mine', term: null });
  expect(labels.groups).toEqual([{ name: 'mine', colour: '#112233' }]);
});
