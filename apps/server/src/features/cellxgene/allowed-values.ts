import { type AllowedTerms, type CuratedField, ontologies, type OntologyName } from '@cellfolio/contract';
import { splitValues } from '@cellfolio/model';
import { termTable } from '../ontology/index.ts';

export interface CheckedValue {
  /** Label of the term; `null` where the value is no term. */
  term: string | null;
  /** Why the field may not have the value; `null` if it may. */
  problem: string | null;
}

/** Checks a value of a curated field against the schema. */
export function checkValue(field: CuratedField, organism: string, value: string): CheckedValue {
  const fixed = field.fixed?.(organism);
  if (fixed !== undefined)
    return { term: null, problem: value === fixed ? null : `It is ${fixed} for this organism` };
  if (value === '') return { term: null, problem: 'It has no value' };
  if (field.values === 'any')
    return { term: null, problem: value === 'na' ? '“na” is only for cell lines' : null };
  if (field.values?.includes(value)) return { term: null, problem: null };
  const allowed = field.terms?.(organism);
  if (allowed === undefined) return { term: null, problem: `Only ${field.values!.join(', ')} are allowed` };
  const parts = field.isJoined ? splitValues(value) : [value];
  const checked = parts.map((part) => checkTerm(allowed, part));
  const problem = checked.find((one) => one.problem !== null)?.problem ?? joinProblem(parts);
  return { term: checked.map(({ term }, at) => term ?? parts[at]).join(' || '), problem };
}

/** Joined terms are diseases in rising order. */
function joinProblem(parts: readonly string[]): string | null {
  if (parts.length === 1) return null;
  if (!parts.every((part) => part.startsWith('MONDO:'))) return 'Only diseases (MONDO) can be joined';
  return parts.every((part, at) => at === 0 || parts[at - 1]! < part)
    ? null
    : 'Joined terms need rising order, each once';
}

function checkTerm(allowed: readonly AllowedTerms[], id: string): CheckedValue {
  const name = id.slice(0, Math.max(0, id.indexOf(':')));
  const rule = allowed.find(({ ontology }) => ontology === name);
  if (rule === undefined) return { term: null, problem: `It is no term of ${titlesOf(allowed)}` };
  const ontology = termTable.ontology(rule.ontology);
  const term = ontology.terms.get(id);
  if (term === undefined) {
    const successor = ontology.replaced.get(id);
    return {
      term: null,
      problem:
        successor === undefined
          ? `${ontologies[rule.ontology].title} has no such term`
          : `It is deprecated: use ${successor}`,
    };
  }
  const isAllowed =
    rule.never?.includes(id) !== true &&
    (rule.also?.includes(id) === true ||
      rule.below?.some((root) => isBelow(rule.ontology, id, root)) === true);
  return { term: term.label, problem: isAllowed ? null : 'The schema does not allow this term here' };
}

function titlesOf(allowed: readonly AllowedTerms[]): string {
  return allowed.map(({ ontology }) => `${ontologies[ontology].title} (${ontology})`).join(' or ');
}

function isBelow(name: OntologyName, id: string, root: string): boolean {
  const { terms } = termTable.ontology(name);
  const seen = new Set<string>();
  const next = [...(terms.get(id)?.parents ?? [])];
  for (let parent = next.pop(); parent !== undefined; parent = next.pop()) {
    if (parent === root) return true;
    if (seen.has(parent)) continue;
    seen.add(parent);
    next.push(...(terms.get(parent)?.parents ?? []));
  }
  return false;
}
