import { type DatasetFacts, planByRules, wordsToLookUp } from '@cellfolio/assistant';
import { columnTitle, isUnassigned } from '@cellfolio/contract';
import { conditionRank, isControl } from '@/lib/condition-names.ts';

const maxExamples = 5;
const familiarGenes = ['CD8A', 'MS4A1', 'FOXP3', 'EPCAM', 'PECAM1', 'PTPRC', 'ALB', 'INS', 'GAD1'];

/** Questions of the names of a dataset, each of which has a plan. */
export function exampleQuestions(
  facts: Omit<DatasetFacts, 'genes'>,
  geneNamed: (name: string) => string | undefined,
): string[] {
  const gene = familiarGenes.map(geneNamed).find((symbol) => symbol !== undefined);
  const namesOf = (column: string | undefined) =>
    (facts.groups.find((one) => one.column === column)?.names ?? []).filter(
      (name) => name.trim() !== '' && name.length <= 40 && !isUnassigned(name),
    );
  const types = namesOf(facts.cellTypes);
  const type = types.find((name) => /^t[ _-]?cells?$/i.test(name)) ?? types[0];
  const condition = facts.groups
    .map(({ column }) => column)
    .filter((column) => conditionRank(column) >= 0 && namesOf(column).length > 1)
    .toSorted((one, other) => conditionRank(one) - conditionRank(other))[0];
  const values = namesOf(condition);
  const control = values.find(isControl) ?? values[0];
  const other = values.find((value) => value !== control);
  const [cluster] = namesOf(facts.clusters);
  const by = condition === undefined ? undefined : columnTitle(condition).toLowerCase();
  const questions = [
    ...(gene !== undefined && type !== undefined && by !== undefined ? [`${gene} in ${type} by ${by}`] : []),
    ...(gene === undefined ? [] : [`color by ${gene}`]),
    ...(type !== undefined && other !== undefined ? [`compare ${type} of ${other} and ${control}`] : []),
    ...(cluster === undefined ? [] : [`markers of cluster ${cluster}`]),
    ...(type === undefined || types.length < 2
      ? []
      : [`ligand receptor pairs between ${types.slice(0, 2).join(' and ')}`]),
    ...(by === undefined ? [] : [`composition by ${by}`]),
  ];
  return questions.filter((question) => isPlanned(question, facts, gene)).slice(0, maxExamples);
}

function isPlanned(question: string, facts: Omit<DatasetFacts, 'genes'>, gene: string | undefined): boolean {
  const genes = new Map(
    wordsToLookUp(question).flatMap((word) => (word === gene ? [[word, gene] as const] : [])),
  );
  return planByRules(question, { ...facts, genes }).steps.length > 0;
}
