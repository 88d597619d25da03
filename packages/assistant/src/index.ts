export {
  type AnswerEvent,
  type AnswerPart,
  AnswerReader,
  elementPlace,
  numberText,
  pathSegments,
  resultView,
  type StepResult,
  type Strike,
  type ToolTable,
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
  type ModelConsent,
  modelPlanOnly,
  modelRecipient,
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
export { analysisTool, columnsOfTool } from './rules/analysis-steps.ts';
export { editsBetween } from './rules/near-names.ts';
