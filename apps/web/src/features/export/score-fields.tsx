import type { ExportCellsRequest } from '@cellfolio/contract';
import { cellStateNames } from '@cellfolio/contract';
import { scoresIn } from '@cellfolio/figures/content';
import { useId } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { LibraryImage } from '@/features/images/index.ts';

export type Signature = NonNullable<ExportCellsRequest['signature']> & { score_name: string };

export interface ChosenScores {
  signature: Signature | null;
  cellState: string | null;
}

interface ScoreFieldsProps {
  signatures: readonly Signature[];
  chosen: ChosenScores;
  onChange: (chosen: ChosenScores) => void;
}

export function ScoreFields({ signatures, chosen, onChange }: ScoreFieldsProps) {
  const names = signatures.map(({ score_name: name, genes }, place) =>
    // Two signatures may share a name.
    signatures.findIndex((other) => other.score_name === name) === place
      ? name
      : `${name}, ${genes.join(', ')}`,
  );
  const at = signatures.findIndex(
    (signature) => keyOf(signature) === (chosen.signature && keyOf(chosen.signature)),
  );
  return (
    <>
      {signatures.length === 0 ? (
        <p className="text-muted text-xs">
          A signature that you score in Signature Visualization can be exported here.
        </p>
      ) : (
        <ScoreChoice
          label="Score of a signature"
          names={names}
          chosen={at === -1 ? null : at}
          onChoose={(place) =>
            onChange({ ...chosen, signature: place === null ? null : (signatures[place] ?? null) })
          }
        />
      )}
      <ScoreChoice
        label="Score of a cell state"
        names={cellStateNames}
        chosen={chosen.cellState === null ? null : cellStateNames.indexOf(chosen.cellState)}
        onChoose={(place) =>
          onChange({ ...chosen, cellState: place === null ? null : (cellStateNames[place] ?? null) })
        }
      />
    </>
  );
}

interface ScoreChoiceProps {
  label: string;
  names: readonly string[];
  /** Index of a name; `null` for none. */
  chosen: number | null;
  onChoose: (place: number | null) => void;
}

function ScoreChoice({ label, names, chosen, onChoose }: ScoreChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-[13px]">
        {label}
      </Label>
      <Select
        value={chosen === null ? 'none' : String(chosen)}
        onValueChange={(next) => onChoose(next === 'none' ? null : Number(next))}
      >
        <SelectTrigger id={id}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="none">None</SelectItem>
          {names.map((name, place) => (
            <SelectItem key={name} value={String(place)}>
              {name}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}

export function scoresField({
  signature,
  cellState,
}: ChosenScores): Pick<ExportCellsRequest, 'signature' | 'cell_state'> {
  return {
    ...(signature !== null && { signature }),
    ...(cellState !== null && { cell_state: { cell_state: cellState } }),
  };
}

export function scoredSignatures(images: readonly LibraryImage[], datasetName: string): Signature[] {
  const signatures = new Map<string, Signature>();
  for (const { datasetName: of, source } of images) {
    if (of !== datasetName || !source) continue;
    for (const score of scoresIn(source.content)) {
      if (score.of !== 'signature') continue;
      const signature = { score_name: score.score_name, genes: [...score.genes] };
      const key = keyOf(signature);
      if (!signatures.has(key)) signatures.set(key, signature);
    }
  }
  return Array.from(signatures.values());
}

function keyOf({ score_name, genes }: Signature): string {
  return JSON.stringify([score_name, genes.toSorted()]);
}
