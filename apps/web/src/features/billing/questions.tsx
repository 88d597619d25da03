import { Plus } from 'lucide-react';
import { trialLength } from '@/lib/trial-length.ts';

const questions = [
  {
    question: 'Can I upload my own data?',
    answer:
      'Custom data upload is part of the Professional plan only. Trial and Standard work with the public datasets.',
  },
  {
    question: 'What happens when the trial ends?',
    answer: `After ${trialLength()} the explorer asks for a plan. Your account, saved subsets and images are kept.`,
  },
  {
    question: 'How does billing work?',
    answer: 'Monthly, per user. You can add or remove users at any time; billing adjusts for the next cycle.',
  },
  {
    question: 'How do I cancel or change my payment method?',
    answer:
      'On your account page, Manage Subscription opens the customer portal: payment methods, invoices and cancellation are there.',
  },
  {
    question: 'Which analyses are in the Standard plan?',
    answer:
      'Gene and signature visualization, cell type and cluster isolation, saved subsets, marker analysis and gene set enrichment, all with export. AI image analysis belongs to Professional.',
  },
] as const;

/** Opens and closes without a line of script. */
export function Questions() {
  return (
    <div className="border-t">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-b">
          <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-5 text-[17px] font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <Plus
              aria-hidden
              className="text-muted size-5 shrink-0 transition-transform duration-150 group-open:rotate-45"
            />
          </summary>
          <p className="text-muted max-w-[62ch] pb-6 text-base text-pretty">{answer}</p>
        </details>
      ))}
    </div>
  );
}
