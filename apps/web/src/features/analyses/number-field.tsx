import { Field, Input } from '@/components/ui/form.tsx';

interface NumberSchema {
  def: { defaultValue: unknown };
  unwrap(): { minValue: number | null; maxValue: number | null };
  meta(): { title?: string | undefined } | undefined;
}

export interface NumberParameter {
  label: string;
  /** Default, as typed. */
  defaultValue: string;
  min: number;
  max: number;
}

/**
 * Label, default and limits of a parameter, from its schema. `times` is 100 for a share that is typed as a percentage.
 */
export function numberParameter(schema: NumberSchema, times = 1): NumberParameter {
  const { minValue, maxValue } = schema.unwrap();
  return {
    label: schema.meta()?.title ?? '',
    defaultValue: String(times * Number(schema.def.defaultValue)),
    min: times * (minValue ?? -Infinity),
    max: times * (maxValue ?? Infinity),
  };
}

export function numberOrZero(text: string): number {
  const value = Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : 0;
}

/** Why the server would refuse the value; `undefined` if valid. */
export function numberProblem({ min, max }: NumberParameter, text: string): string | undefined {
  const value = numberOrZero(text);
  if (value >= min && value <= max) return undefined;
  const [from, to] = [min, max].map((limit) => limit.toLocaleString('en-US').replace('-', '−'));
  return `From ${from} to ${to}.`;
}

export function shareOf(text: string): number {
  // Ten per cent are a tenth, not 0.1 and a bit.
  return Number((numberOrZero(text) / 100).toPrecision(12));
}

type FormNumbers<Name extends string> = readonly (NumberParameter & { field: Name })[];

export function standardsOf<Name extends string>(numbers: FormNumbers<Name>): Record<Name, string> {
  return Object.fromEntries(numbers.map(({ field, defaultValue }) => [field, defaultValue])) as Record<
    Name,
    string
  >;
}

export function areValid<Name extends string>(
  numbers: FormNumbers<Name>,
  form: Readonly<Record<Name, string>>,
): boolean {
  // name-dictionary: names of the fields of the form
  return numbers.every(({ field, ...parameter }) => numberProblem(parameter, form[field]) === undefined);
}

interface NumberFieldsProps<Name extends string> {
  numbers: readonly (FormNumbers<Name>[number] & { step: number })[];
  form: Readonly<Record<Name, string>>;
  onChange: (change: Partial<Record<Name, string>>) => void;
}

export function NumberFields<Name extends string>({ numbers, form, onChange }: NumberFieldsProps<Name>) {
  return (
    <div className="grid grid-cols-2 gap-2">
      {numbers.map(({ field, step, ...parameter }) => (
        <NumberField
          key={field}
          parameter={parameter}
          step={step}
          // name-dictionary: names of the fields of the form
          value={form[field]}
          onChange={(value) => onChange({ [field]: value } as Partial<Record<Name, string>>)}
        />
      ))}
    </div>
  );
}

interface NumberFieldProps {
  parameter: NumberParameter;
  label?: string;
  step: number;
  value: string;
  /** Why a number within the limits cannot be sent. */
  problem?: string | undefined;
  onChange: (value: string) => void;
}

export function NumberField(props: NumberFieldProps) {
  const { parameter, label = parameter.label, step, value, problem, onChange } = props;
  return (
    <Field label={label} error={numberProblem(parameter, value) ?? problem} className="[&_label]:text-xs">
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="decimal"
          step={step}
          min={parameter.min}
          max={parameter.max}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => onChange(String(numberOrZero(value)))}
        />
      )}
    </Field>
  );
}
