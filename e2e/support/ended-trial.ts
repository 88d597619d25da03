import { fileURLToPath } from 'node:url';
import { createUser, migrate, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';

// Run by itself, on the data folder that a server is then started on. Prints the account as JSON.

const monthAgo = new Date(Date.now() - 30 * 86_400_000);
const account = { email: `ended-${crypto.randomUUID()}@cellfolio.test`, password: crypto.randomUUID() };
const { DATA_DIR: dataDir = '', DATABASE_URL: url } = process.env;
if (!url) await copyTestDatabase(dataDir);
const database = await openDatabase({ dataDir, ...(url && { url }) });
try {
  await migrate(database, fileURLToPath(new URL('../../supabase/migrations', import.meta.url)));
  await createUser(database, { ...account, confirmed: true, createdAt: monthAgo });
} finally {
  await database.close();
}
console.log(JSON.stringify(account));
