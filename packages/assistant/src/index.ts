export type { DatasetFacts } from './dataset-facts.ts';
export { maxSteps, plan, type Plan, planStep, type PlanStep } from './plan.ts';
export { maxQuestionLength, planByRules, questionHelp, wordsToLookUp } from './plan-by-rules.ts';
export { analysisTool } from './rules/analysis-rules.ts';
export { editsBetween } from './rules/near-names.ts';
