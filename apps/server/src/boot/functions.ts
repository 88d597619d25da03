import type { MountFunctions } from '@cellfolio/platform';
import { analyzeImage, type ServerFigures } from '../features/ai/index.ts';
import { paymentFunctions } from '../features/billing/index.ts';
import { sendContactEmail } from '../features/contact/send-contact-email.ts';
import { createFunctionLimits } from '../runtime/functions/functions-context.ts';
import { functionsSettings, type FunctionsSettingsInput } from '../runtime/functions/functions-settings.ts';

export function productFunctions(
  input: FunctionsSettingsInput,
  serverFigures?: ServerFigures,
): MountFunctions {
  const settings = functionsSettings.parse(input);
  return async (app, platform) => {
    const limits = createFunctionLimits(settings.limits, platform.makeLimiter);
    const context = { ...platform, settings, limits, serverFigures };
    await paymentFunctions(app, context);
    sendContactEmail(app, context);
    await analyzeImage(app, context);
  };
}
