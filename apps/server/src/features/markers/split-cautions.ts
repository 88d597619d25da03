import { countText, type Caution } from '@cellfolio/model';

/** What a test within the categories of a second column says, and what it does not. */
export function splitCautions(title: string | undefined, withoutPart: number): Caution[] {
  if (title === undefined) return [];
  const cautions: Caution[] = [
    {
      code: 'within-categories',
      message: `Each group is compared with the other cells of the same category of ${title} alone. A marker in one category and not in another need not differ between them: a comparison of these cells tests that.`,
    },
  ];
  if (withoutPart > 0) {
    const cells = withoutPart === 1 ? '1 cell has' : `${countText(withoutPart)} cells have`;
    cautions.push({
      code: 'cells-without-category',
      message: `${cells} no value in ${title} and ${withoutPart === 1 ? 'is' : 'are'} in no comparison.`,
      numbers: { cells: withoutPart },
    });
  }
  return cautions;
}
