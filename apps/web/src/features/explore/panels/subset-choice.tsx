import { CheckList } from '@/components/check-list.tsx';

export interface SubsetChoice {
  /** Saved subsets of the dataset. */
  subsets: readonly { readonly id: string; readonly name: string }[];
  /** Ids of those to draw in; none for the cells that are active. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** In which cells genes are drawn: those that are active or, one after the other, those of several saved subsets. */
export function SubsetChoiceFields({ subsets, chosen, onChange }: SubsetChoice) {
  if (subsets.length === 0) return null;
  return (
    <details className="text-[13px]" open={chosen.length > 0 || undefined}>
      <summary className="text-muted cursor-pointer py-0.5">
        {chosen.length === 0 ? 'Draw in several subsets' : `Drawn in each of ${chosen.length} subsets`}
      </summary>
      <div className="pt-1.5">
        <CheckList
          legend="Saved subsets to draw in"
          items={subsets.map(({ id, name }) => ({ value: id, label: name }))}
          checked={chosen}
          onChange={onChange}
        />
      </div>
    </details>
  );
}
