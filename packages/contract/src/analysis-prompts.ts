export const defaultAnalysisPrompt =
  'Describe what this figure shows, which cells stand out, and what to look at next.';

export const analysisPrompts = [
  {
    label: 'Write a legend',
    prompt:
      'Write the legend of this figure for a paper: one title sentence, then what is drawn, how many cells, and what colors and sizes mean. State no conclusion.',
  },
  {
    label: 'What it cannot show',
    prompt:
      'Which conclusions would a careful reviewer not accept from this figure alone, and which figure or test would settle each?',
  },
] as const;
