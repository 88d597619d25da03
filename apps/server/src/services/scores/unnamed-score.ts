/** What a score is called where its user gave it no name. */
export const unnamedScore = 'Unnamed Signature';
