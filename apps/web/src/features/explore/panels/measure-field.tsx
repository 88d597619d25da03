import type { MapColumnList } from '@cellfolio/contract';
import { cellStateNames } from '@cellfolio/contract';
import { useId } from 'react';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { Input } from '@/components/ui/form.tsx';
import { GenePicker } from '@/features/gene-lists/index.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { noNumbers } from '@/features/map/index.ts';
import { ColumnField } from './column-field.tsx';
import { type GroupFigureChoice, measures } from './group-figures.ts';
import type { useGroupFigure } from './use-group-figure.ts';

const maxScoreNameLength = 200;

const options = measures.map(({ of, label }) => ({ value: of, label }));
const states = cellStateNames.map((name) => ({ value: name, label: name }));

interface MeasureFieldProps {
  index: GeneIndex;
  columns: MapColumnList['obs'];
  choice: GroupFigureChoice;
  set: ReturnType<typeof useGroupFigure>['set'];
  onConfirm: () => void;
}

export function MeasureField({ index, columns, choice, set, onConfirm }: MeasureFieldProps) {
  const id = useId();
  const { measure, number, signature, state } = choice;
  return (
    <>
      <ChoiceLine label="Measure" options={options} chosen={measure} onChoose={set.measure} />
      {measure === 'number' && (
        <ColumnField
          label="Column"
          none="Choose a column"
          columns={columns}
          problemOf={noNumbers}
          chosen={number}
          onChoose={set.number}
        />
      )}
      {measure === 'state' && (
        <ChoiceLine
          label="State"
          options={states}
          chosen={state}
          placeholder="Select a cell state"
          onChoose={set.state}
        />
      )}
      {measure === 'signature' && (
        <>
          <GenePicker
            index={index}
            label="Genes of the signature"
            chosenLabel="Genes of the signature"
            genes={[...signature.genes]}
            onChange={set.signatureGenes}
            onConfirm={onConfirm}
            showEmpty={false}
          />
          <div className="flex items-center justify-between gap-3">
            <label htmlFor={id} className="shrink-0 text-[13px] font-medium">
              Name
            </label>
            <Input
              id={id}
              className="h-8 w-48 text-[13px]"
              aria-label="Name of the signature"
              value={signature.name}
              maxLength={maxScoreNameLength}
              autoComplete="off"
              placeholder="Cytotoxicity"
              onChange={(event) => set.signatureName(event.target.value)}
            />
          </div>
        </>
      )}
    </>
  );
}
