import {
  type AllowedTerms,
  type CuratedField,
  ontologies,
  type OntologyName,
  suspensionRules,
} from '@cellfolio/contract';
import { splitValues } from '@cellfolio/model';
import { termTable } from '../ontology/index.ts';

export interface CheckedValue {
  /** Label of the term; `null` where the value is no term. */
  term: string | null;
  /** Why the field cannot have the value; `null` if it can. */
  problem: string | null;
}

/** Checks a value of a curated field against the schema. */
export function checkValue(field: CuratedField, organism: string, value: string): CheckedValue {
  const refused = (problem: string | null): CheckedValue => ({ term: null, problem });
  const fixed = field.fixed?.(organism);
  if (fixed !== undefined) return refused(value === fixed ? null : `It must be “${fixed}” for this organism`);
  if (value === '') return refused('No value');
  if (field.values === 'any') return refused(value === 'na' ? '“na” is for cell lines only' : null);
  if (field.values?.includes(value)) return refused(null);
  const allowed = field.terms?.(organism);
  if (allowed === undefined) return refused(`Allowed: ${field.values!.join(', ')}`);
  const parts = field.joins ? splitValues(value) : [value];
  const checked = parts.map((part) => checkTerm(allowed, part));
  const problem = checked.find((one) => one.problem !== null)?.problem ?? joinProblem(field, parts);
  return { term: checked.map(({ term }, at) => term ?? parts[at]).join(' || '), problem };
}

function joinProblem({ joins = [] }: CuratedField, parts: readonly string[]): string | null {
  if (parts.length === 1) return null;
  if (!parts.every((part) => joins.some((ontology) => part.startsWith(`${ontology}:`))))
    return `Only terms of ${joins.join(', ')} can be joined`;
  return parts.every((part, at) => at === 0 || parts[at - 1]! < part)
    ? null
    : 'Joined terms must be in rising order, each once';
}

function checkTerm(allowed: readonly AllowedTerms[], id: string): CheckedValue {
  const name = id.slice(0, Math.max(0, id.indexOf(':')));
  const rule = allowed.find(({ ontology }) => ontology === name);
  if (rule === undefined) return { term: null, problem: `Not a term of ${titlesOf(allowed)}` };
  const ontology = termTable.ontology(rule.ontology);
  const term = ontology.terms.get(id);
  if (term === undefined) {
    const successor = ontology.replaced.get(id);
    const problem =
      successor === undefined
        ? `${ontologies[rule.ontology].title} has no such term`
        : `Deprecated: use ${successor}`;
    return { term: null, problem };
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

/** Why cells of an assay cannot be of a suspension; `null` if they can, or where the schema names no rule. */
export function suspensionProblem(assay: string, suspension: string): string | null {
  const rule = suspensionRules.find(
    ({ below, also }) =>
      also.includes(assay) || below.some((root) => assay === root || isBelow('EFO', assay, root)),
  );
  if (rule === undefined || rule.suspensions.includes(suspension)) return null;
  return `The assay ${assay} needs ${rule.suspensions.join(' or ')}`;
}
