import { unreadable } from '../rest-error.ts';
import { patternLoad } from './pattern-problem.ts';
import type { Condition, RequestQuery, SelectItem } from './request-query.ts';

/** What one request may ask for; more is nobody's honest question, and each costs the database work. */
export const requestBounds = {
  /** Selected columns, those of related tables among them; an alias is one more. */
  columns: 100,
  /** Related tables. PostgreSQL's planner takes minutes over hundreds of joins, and no time limit stops it there. */
  related: 30,
  /** Filters, also those inside of `and` and `or`. */
  conditions: 100,
  orderTerms: 20,
  /** Patterns and regular expressions, each element of a list by itself. */
  patterns: 10,
  /** Together, as `patternLoad` counts them: ten patterns of this sum take 0.1 s on a text of 99,000 letters. */
  patternCharacters: 300,
} as const;

/** Throws RestError PGRST100, which names the bound, for a request that asks for more than it may. */
export function checkBounds({ select, scopes }: RequestQuery): void {
  const asked = { columns: 0, related: 0, conditions: 0, orderTerms: 0, patterns: 0, patternCharacters: 0 };
  const countItem = (item: SelectItem): void => {
    if (item.kind !== 'embed') asked.columns += 1;
    else {
      asked.related += 1;
      item.items.forEach(countItem);
    }
  };
  const countCondition = (condition: Condition): void => {
    if (condition.kind === 'logic') return condition.children.forEach(countCondition);
    asked.conditions += 1;
    const load = patternLoad(condition.test);
    asked.patterns += load.patterns;
    asked.patternCharacters += load.characters;
  };
  select.forEach(countItem);
  for (const { conditions, order } of scopes.values()) {
    conditions.forEach(countCondition);
    asked.orderTerms += order.length;
  }
  const check = (bound: keyof typeof requestBounds, parameter: string, what: string): void => {
    if (asked[bound] <= requestBounds[bound]) return;
    throw unreadable(
      parameter,
      `${asked[bound]} ${what}`,
      `at most ${requestBounds[bound]} ${what} in one request`,
    );
  };
  check('columns', 'select parameter', 'columns');
  check('related', 'select parameter', 'related tables');
  check('conditions', 'filter', 'conditions');
  check('orderTerms', 'order', 'terms');
  check('patterns', 'filter', 'patterns');
  check('patternCharacters', 'filter', 'characters of patterns');
}
