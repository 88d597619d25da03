import { analysisPrompts } from '@cellfolio/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { libraryImage } from '@/features/images/library-image.fixture.ts';
import { AiAnalysisDialog } from './ai-analysis-dialog.tsx';
import type { AiAnalysis } from './use-ai-analysis.ts';

const image = libraryImage('one');
const answered = (more: Partial<AiAnalysis>): AiAnalysis => ({
  offered: true,
  takesQuestions: true,
  ask: vi.fn(),
  image,
  pending: false,
  slow: false,
  answer: { text: 'B cells stand out.', label: 'By a model' },
  close: vi.fn(),
  ...more,
});

test('under an answer a legend or a caution is requested with one click', async () => {
  const analysis = answered({});
  render(<AiAnalysisDialog analysis={analysis} />);
  await userEvent.click(screen.getByRole('button', { name: 'Write a legend' }));
  expect(analysis.ask).toHaveBeenCalledWith(image, analysisPrompts[0].prompt);
  expect(screen.getByRole('button', { name: 'What it cannot show' })).toBeVisible();
});

test('a summary that is computed takes no questions', () => {
  render(<AiAnalysisDialog analysis={answered({ takesQuestions: false })} />);
  expect(screen.getByText('B cells stand out.')).toBeVisible();
  expect(screen.queryByRole('group', { name: 'Ask for' })).toBeNull();
  expect(screen.queryByLabelText(/Ask about this figure/)).toBeNull();
});
