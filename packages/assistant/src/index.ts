export {
  type AnswerEvent,
  type AnswerPart,
  AnswerReader,
  resultView,
  type StepResult,
  type Strike,
} from './answer.ts';
export { genesOfPlan, planProblems, type PlanProblem, type PlanTool } from './check-plan.ts';
export type { DatasetFacts } from './dataset-facts.ts';
export { maxSteps, plan, type Plan, planStep, type PlanStep } from './plan.ts';
export {
  answeredQuestion,
  type AnsweredQuestion,
  answeredQuestionList,
  type AnsweredQuestionList,
  consentRequest,
  modelConsent,
  type ModelUsage,
  planAnswer,
  type PlanAnswer,
  planRequest,
  type PlanRequest,
  type ReplayedCall,
  runEvent,
  type RunEvent,
  runRequest,
  type RunRequest,
} from './calls.ts';
export { geneLikeWords } from './written-numbers.ts';
export { maxQuestionLength, planByRules, questionHelp, wordsToLookUp } from './plan-by-rules.ts';
export { analysisTool } from './rules/analysis-rules.ts';
export { editsBetween } from './rules/near-names.ts';
