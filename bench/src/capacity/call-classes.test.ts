import { expect, test } from 'vitest';
import type { Asked } from '../server/load-plan.ts';
import { KeptResults } from './call-classes.ts';

const plot = (gene: string): Asked => ({ kind: 'gene plot', gene });
const filter = (gene?: string): Asked => ({ kind: 'filter', gene });

test('what somebody asked before is kept for all, by dataset and chosen cells', () => {
  const kept = new KeptResults(100);
  const of = (asked: Asked, user = 0, dataset = 'a') => kept.classOf(asked, user, dataset);
  expect([of(plot('X')), of(plot('X'), 1), of(plot('X'), 2, 'b')]).toEqual([
    'plot drawn',
    'plot kept',
    'plot drawn',
  ]);
  expect([of(filter('Y')), of(plot('X')), of(plot('X'), 1)]).toEqual([
    'filter built',
    'plot drawn',
    'plot kept',
  ]);
  expect([of({ kind: 'markers' }), of(filter('Y'), 1), of({ kind: 'markers' }, 1)]).toEqual([
    'markers tested',
    'filter kept',
    'markers kept',
  ]);
  expect([of(filter()), of(plot('X'))]).toEqual(['filter all', 'plot kept']);
  // Opening the dataset chooses all of its cells.
  expect([of({ kind: 'search' }, 1), of({ kind: 'markers' }, 1)]).toEqual(['search', 'markers tested']);
});

test('the figure that was asked for longest ago is drawn anew', () => {
  const kept = new KeptResults(2);
  const of = (gene: string) => kept.classOf(plot(gene), 0, 'a');
  expect(['X', 'Y', 'X', 'Z', 'X', 'Y'].map(of)).toEqual([
    'plot drawn',
    'plot drawn',
    'plot kept',
    'plot drawn',
    'plot kept',
    'plot drawn',
  ]);
});
