import { comparison, type ComparisonRequest, comparisonText } from '@cellfolio/analyses';
import { ChoiceField, type RunBefore } from '@/features/analyses/index.ts';

const { request: comparisonRequest } = comparison;

interface ComparisonFieldProps {
  label: string;
  hint: string | undefined;
  runs: readonly RunBefore[];
  /** A comparison as JSON; empty for none. */
  text: string;
  onChange: (text: string) => void;
}

/** A comparison that ran before. */
export function ComparisonField({ label, hint, runs, text, onChange }: ComparisonFieldProps) {
  const choices = comparisonChoices(runs, text);
  if (choices.length === 0) {
    return (
      <p role="note" className="text-muted text-xs">
        No comparison yet. Run a DEG Analysis first: it is then listed here, and its result has a button for
        this analysis.
      </p>
    );
  }
  return (
    <ChoiceField
      label={label}
      placeholder="Choose a comparison"
      choices={choices}
      value={text}
      onChange={onChange}
      about={hint}
    />
  );
}

/**
 * Choices of comparisons that were run, by their requests as JSON, including the chosen one: it may come from a result,
 * whose request has all defaults. If one request ran on several sets of cells, the newest run is named.
 */
export function comparisonChoices(runs: readonly RunBefore[], text: string) {
  const chosen = comparisonOf(text);
  const whole = (request: unknown) => JSON.stringify(comparisonRequest.safeParse(request).data);
  const offered = new Map<string, { value: string; label: string }>();
  for (const { module, request, label } of runs) {
    const key = whole(request);
    if (module.id !== 'comparison' || offered.has(key)) continue;
    const value = key === whole(chosen) ? text : JSON.stringify(request);
    offered.set(key, { value, label });
  }
  if (chosen && !offered.has(whole(chosen))) {
    offered.set(whole(chosen), { value: text, label: comparisonText(comparisonRequest.parse(chosen)) });
  }
  return [...offered.values()];
}

function comparisonOf(text: string): ComparisonRequest | undefined {
  if (text === '') return undefined;
  try {
    const read = JSON.parse(text) as ComparisonRequest;
    return comparisonRequest.safeParse(read).success ? read : undefined;
  } catch {
    return undefined;
  }
}
