import { expect, test } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import { analyzeImage } from './use-ai-analysis.ts';

const question = { imageUrl: 'data:image/png;base64,AA==', filename: 'd.png', prompt: 'What?', source: null };
const ask = (answer: unknown, status = 200) => {
  const fake = fakeServices();
  fake.answer('/functions/v1/analyze-image', () => json(answer, status));
  return {
    fake,
    analysis: analyzeImage(fake.services.functions, question, new AbortController().signal),
  };
};

test('the image, its name and the prompt are sent, and the text comes back in any of its three forms', async () => {
  const { fake, analysis } = ask({ analysis: ' B cells. ', label: 'By a model' });
  await expect(analysis).resolves.toEqual({ text: 'B cells.', label: 'By a model' });
  expect(fake.requests[0]?.body).toEqual({ imageUrl: question.imageUrl, filename: 'd.png', prompt: 'What?' });
  await expect(ask({ analysis: { content: 'Content' } }).analysis).resolves.toMatchObject({
    text: 'Content',
  });
  await expect(ask({ analysis: { text: 'Text' } }).analysis).resolves.toMatchObject({ text: 'Text' });
});

test('an answer without an analysis is reported as such', async () => {
  for (const answer of [{}, { analysis: '' }, { analysis: {} }, null]) {
    await expect(ask(answer).analysis).rejects.toThrow('No analysis returned from the service');
  }
});

test('a refusal is in the words of the service, or in our own', async () => {
  await expect(ask({ error: 'The model is busy.' }, 503).analysis).rejects.toMatchObject({
    message: 'The model is busy.',
    planRequired: false,
  });
  await expect(ask('nonsense', 500).analysis).rejects.toThrow(
    'Failed to analyze the image. Please try again',
  );
  await expect(ask({ error: 'No.', code: 'professional_plan_required' }, 403).analysis).rejects.toMatchObject(
    { planRequired: true },
  );
  await expect(ask({ error: 'Second step.', code: 'insufficient_aal' }, 403).analysis).rejects.toMatchObject({
    planRequired: false,
  });
});
