export { AiAnalysisDialog } from './ai-analysis-dialog.tsx';
export { useAiAnalysis } from './use-ai-analysis.ts';
