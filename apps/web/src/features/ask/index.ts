export { AskCard } from './ask-card.tsx';
export type { AskHost, RunnableStep, StepEnd } from './ask-host.ts';
