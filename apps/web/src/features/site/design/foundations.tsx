import { Specimen } from './specimen.tsx';

const sizes = [
  'text-display',
  'text-headline',
  'text-title',
  'text-lead',
  'text-2xl',
  'text-xl',
  'text-base',
  'text-sm',
  'text-xs',
] as const;

const surfaces = [
  'background',
  'surface',
  'surface-2',
  'surface-3',
  'foreground',
  'muted',
  'border',
  'input',
];
const meanings = [
  'accent',
  'accent-soft',
  'success',
  'success-soft',
  'danger',
  'danger-soft',
  'warning',
  'warning-soft',
];
const plans = ['blue', 'blue-soft', 'purple', 'purple-soft'];
const cells = [
  'b-cell',
  'endothelial',
  'epithelial',
  'fibroblast',
  'macrophage',
  'mast',
  'monocyte',
  'nk',
  'plasma',
  't-cell',
].map((name) => `cell-${name}`);

/** Type and colour, which everything else is made of. */
export function Foundations() {
  return (
    <>
      <Specimen title="Type">
        <div className="flex flex-col gap-3">
          {sizes.map((size) => (
            <p key={size} className={`${size} font-semibold`}>
              {size.slice(5)} <span className="font-normal">CD79A in 5,198 cells</span>
            </p>
          ))}
        </div>
      </Specimen>
      {[
        ['Surfaces and text', surfaces],
        ['Meaning', meanings],
        ['Plans', plans],
        ['Cell types', cells],
      ].map(([title, names]) => (
        <Specimen key={String(title)} title={String(title)}>
          {Array.isArray(names) &&
            names.map((name) => (
              <div key={name} className="flex w-28 flex-col gap-1.5 text-xs">
                <div className="h-12 rounded-md border" style={{ backgroundColor: `var(--${name})` }} />
                {name}
              </div>
            ))}
        </Specimen>
      ))}
    </>
  );
}
