import { cellStateNames, type DatasetAnalysis, type MapColumnList } from '@cellfolio/contract';
import { useMemo } from 'react';
import { z } from 'zod';
import { Field, Input } from '@/components/ui/form.tsx';
import { ChoiceField } from '@/features/analyses/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { ColumnField, noNumbers } from '@/features/map/index.ts';

const kinds = [
  { value: 'gene', label: 'A gene' },
  { value: 'signature', label: 'The score of a signature' },
  { value: 'cell-state', label: 'The score of a cell state' },
  { value: 'column', label: 'A column of numbers' },
] as const;
const states = cellStateNames.map((name) => ({ value: name, label: name }));
const maxScoreNameLength = 200;

const chosenText = z.string().optional().catch(undefined);
/** The choice of every kind, so that another kind loses nothing; from storage, too. */
const chosenValues = z.object({
  of: z.enum(kinds.map(({ value }) => value)).catch('gene'),
  gene: chosenText,
  genes: z.array(z.string()).catch([]),
  score_name: z.string().catch(''),
  cell_state: chosenText,
  column: chosenText,
});
type ChosenValues = z.output<typeof chosenValues>;

function readValues(text: string): ChosenValues {
  try {
    return chosenValues.parse(JSON.parse(text));
  } catch {
    return chosenValues.parse({});
  }
}

interface ValuesFieldProps {
  analysis: DatasetAnalysis;
  columns: MapColumnList['obs'];
  label: string;
  hint: string | undefined;
  text: string;
  onChange: (text: string) => void;
}

/** Values of cells: a gene, a score or a column of numbers. */
export function ValuesField({ label, hint, text, onChange, ...props }: ValuesFieldProps) {
  const chosen = readValues(text);
  const change = (next: Partial<ChosenValues>) => onChange(JSON.stringify({ ...chosen, ...next }));
  return (
    <>
      <ChoiceField
        label={label}
        choices={kinds}
        value={chosen.of}
        onChange={(of) => change({ of: of as ChosenValues['of'] })}
        about={hint}
      />
      <OfKind {...props} chosen={chosen} change={change} />
    </>
  );
}

interface OfKindProps extends Pick<ValuesFieldProps, 'analysis' | 'columns'> {
  chosen: ChosenValues;
  change: (next: Partial<ChosenValues>) => void;
}

function OfKind({ analysis, columns, chosen, change }: OfKindProps) {
  const { gene_library: library, dataset_filename: filename, version } = analysis;
  const index = useMemo(() => indexGenes(library, { filename, version }), [library, filename, version]);
  switch (chosen.of) {
    case 'gene':
      return (
        <GenePicker
          index={index}
          label="Gene"
          hint="Enter chooses a gene."
          chosenLabel="Gene to rank by"
          genes={chosen.gene === undefined ? [] : [chosen.gene]}
          max={1}
          showEmpty={false}
          onChange={(genes) => change({ gene: genes.at(-1) })}
        />
      );
    case 'signature':
      return (
        <>
          <GenePicker
            index={index}
            label="Signature genes"
            chosenLabel="Selected signature genes"
            genes={chosen.genes}
            showEmpty={false}
            onChange={(genes) => change({ genes: [...genes] })}
          />
          <Field label="Signature Name" optional>
            {(control) => (
              <Input
                {...control}
                value={chosen.score_name}
                maxLength={maxScoreNameLength}
                autoComplete="off"
                placeholder="Cytotoxicity"
                onChange={(event) => change({ score_name: event.target.value })}
                onBlur={() => change({ score_name: chosen.score_name.trim() })}
              />
            )}
          </Field>
        </>
      );
    case 'cell-state':
      return (
        <ChoiceField
          label="Cell state"
          choices={states}
          value={chosen.cell_state ?? ''}
          onChange={(state) => change({ cell_state: state })}
          placeholder="Select a cell state"
        />
      );
    case 'column':
      return (
        <ColumnField
          label="Column"
          columns={columns}
          problemOf={noNumbers}
          chosen={chosen.column ?? ''}
          none="Choose a column of numbers"
          required
          onChoose={(column) => change({ column: column || undefined })}
        />
      );
  }
}
