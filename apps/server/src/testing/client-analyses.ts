import { answerFields, declarations } from '@cellfolio/analyses';

/** The analyses as the generators of `clients` take them beside the OpenAPI document, with the text columns of their tables. */
export function clientAnalyses() {
  return declarations.map((declaration) => {
    const { id, title, question, path } = declaration;
    const columns = Object.entries(declaration.table);
    const texts = columns.filter(([, { kind }]) => kind === 'text' || kind === 'genes').map(([name]) => name);
    return { id, title, question, path, table: answerFields(declaration).table, texts };
  });
}
