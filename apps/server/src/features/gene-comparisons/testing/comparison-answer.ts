import { comparison } from '@cellfolio/analyses';
import { analysisCall, type ComparisonAnswer } from '@cellfolio/contract';
import type { z } from 'zod';

export const comparisonAnswer = analysisCall(comparison).answer as z.ZodType<ComparisonAnswer>;
