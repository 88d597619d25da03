import type { ExpressionAnswer } from '@cellfolio/contract';
import { Field } from '@/components/ui/field.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { H5adReport } from './report-text.ts';

interface ValuesFieldProps {
  report: H5adReport;
  value: ExpressionAnswer | undefined;
  onChange: (value: ExpressionAnswer | undefined) => void;
}

type ValueScale = NonNullable<H5adReport['scale']>['read'];

const answers = {
  log1p: 'Natural logarithms, ln(1 + x)',
  log2: 'Logarithms to base 2, log2(1 + x)',
  log10: 'Logarithms to base 10, log10(1 + x)',
  linear: 'Normalised, not logarithmic',
  counts: 'Raw counts of the file',
} as const satisfies Record<ExpressionAnswer, string>;

export const scaleNames: Readonly<Record<ValueScale, string>> = {
  ...answers,
  counts: 'Raw counts',
  scaled: 'Scaled values',
  unknown: 'Not known',
};

const automatic = 'automatic';

/** What the values of a file are: found, or said by its owner where they do not show it. */
export function ValuesField({ report, value, onChange }: ValuesFieldProps) {
  const asked = report.waitsFor.includes('expression');
  const found = report.scale?.read;
  const offered = (Object.keys(answers) as ExpressionAnswer[]).filter(
    (answer) => answer !== 'counts' || report.hasCounts || value === 'counts',
  );
  return (
    <Field
      label="What do the values hold?"
      hint={<span className="wrap-anywhere">{report.scale?.why}</span>}
      error={
        asked && value === undefined
          ? 'The file does not show it, and figures depend on it. Choose what its values are.'
          : undefined
      }
    >
      {(control) => (
        <Select
          value={value ?? (asked ? '' : automatic)}
          onValueChange={(chosen) =>
            onChange(chosen === automatic ? undefined : (chosen as ExpressionAnswer))
          }
        >
          <SelectTrigger {...control} data-size="sm" className="sm:max-w-96">
            <SelectValue placeholder="Choose…" />
          </SelectTrigger>
          <SelectContent>
            {!asked && (
              <SelectItem value={automatic}>
                Automatic: {found === undefined ? 'found when it is built' : scaleNames[found]}
              </SelectItem>
            )}
            {offered.map((answer) => (
              <SelectItem key={answer} value={answer}>
                {answers[answer]}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
