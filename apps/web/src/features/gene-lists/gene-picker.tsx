import type { GeneList } from '@cellfolio/contract';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import type { GeneSearchProps } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch, useFindGenes } from '@/features/genes/index.ts';
import { formatCount } from '@/lib/format.ts';
import { GeneListMenu } from './gene-list-menu.tsx';
import { addedText } from './read-words.ts';

interface GenePickerProps extends Pick<GeneSearchProps, 'ref' | 'index' | 'label' | 'hint'> {
  chosenLabel: string;
  genes: readonly string[];
  onChange: (genes: string[]) => void;
  /** Called when a gene list is chosen, with its genes that the dataset has; they are added already. */
  onChooseList?: ((name: string, genes: readonly string[]) => void) | undefined;
  onConfirm?: () => void;
  /** Shows a text while no gene is chosen. */
  showEmpty?: boolean;
  max?: number | undefined;
}

export function GenePicker({
  chosenLabel,
  genes,
  onChange,
  onChooseList,
  onConfirm,
  showEmpty = true,
  max = Infinity,
  ...search
}: GenePickerProps) {
  const { note, choose, clearNote } = useChosenList({ index: search.index, genes, onChange, onChooseList });
  const change = (next: string[]) => {
    clearNote();
    onChange(next);
  };
  return (
    <>
      <GeneSearch
        {...search}
        chosen={genes}
        action={
          max > 1 && (
            <GeneListMenu
              label={search.label}
              index={search.index}
              genes={genes}
              onChoose={(list) => void choose(list)}
            />
          )
        }
        onAdd={(added) => change([...genes, ...added])}
        onRemoveLast={() => change(genes.slice(0, -1))}
        onConfirm={onConfirm}
      />
      <p role="status" className="text-muted text-xs wrap-anywhere empty:hidden">
        {note}
      </p>
      {(showEmpty || genes.length > 0) && (
        <GeneChips
          label={chosenLabel}
          genes={genes}
          onRemove={(gene) => change(genes.filter((other) => other !== gene))}
          onClear={() => change([])}
        />
      )}
      {max > 1 && genes.length > max && (
        <Button
          variant="link"
          size="inline"
          className="self-start text-xs"
          onClick={() => change(genes.slice(0, max))}
        >
          {`Keep the first ${formatCount(max)} of ${formatCount(genes.length)}`}
        </Button>
      )}
    </>
  );
}

function useChosenList({
  index,
  genes,
  onChange,
  onChooseList,
}: Pick<GenePickerProps, 'index' | 'genes' | 'onChange' | 'onChooseList'>) {
  const findGenes = useFindGenes(index);
  const [note, setNote] = useState('');
  const choose = async ({ name, genes: names }: GeneList) => {
    const read = await findGenes(names);
    const added = read.genes.filter((gene) => !genes.includes(gene));
    onChange([...genes, ...added]);
    onChooseList?.(name, read.genes);
    setNote(addedText(name, read, added.length));
  };
  return { note, choose, clearNote: () => setNote('') };
}
