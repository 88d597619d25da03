import type { GeneList } from '@cellfolio/contract';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import type { GeneSearchProps } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch, useFindGenes } from '@/features/genes/index.ts';
import { formatCount } from '@/lib/format.ts';
import { GeneListMenu } from './gene-list-menu.tsx';
import { addedText } from './read-words.ts';

interface GenePickerProps extends Pick<GeneSearchProps, 'ref' | 'index' | 'label' | 'shortcut' | 'hint'> {
  /** Names the list of those that are chosen. */
  chosenLabel: string;
  genes: readonly string[];
  onChange: (genes: string[]) => void;
  /** A gene list was chosen, with those of its genes that the dataset has; they are added already. */
  onChooseList?: ((name: string, genes: readonly string[]) => void) | undefined;
  /** Enter in an empty search box. */
  onConfirm?: () => void;
  /** Says so while no gene is chosen. */
  showEmpty?: boolean;
  /** Genes that the place takes; of one, no gene list is offered. */
  most?: number | undefined;
}

/** Genes chosen by a search or from gene lists, each with its remove button. */
export function GenePicker({
  chosenLabel,
  genes,
  onChange,
  onChooseList,
  onConfirm,
  showEmpty = true,
  most = Infinity,
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
          most > 1 && (
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
      {most > 1 && genes.length > most && (
        <Button
          variant="link"
          size="inline"
          className="self-start text-xs"
          onClick={() => change(genes.slice(0, most))}
        >
          {`Keep the first ${formatCount(most)} of ${formatCount(genes.length)}`}
        </Button>
      )}
    </>
  );
}

/** Puts the genes of a list into the box, and says what became of them. */
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
