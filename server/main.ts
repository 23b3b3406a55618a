/** Placeholder until the composition root exists: opens the database, answers /healthz, ends cleanly. */
import { createServer } from 'node:http';
import { openDatabase } from './database/open';
import { readEnv } from './env';
import { StartupError } from './lib/startup-error';

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};
const settings = readEnv(process.env);
if (!settings.ok) fail(settings.problems.join('\n'));
else {
  const { env } = settings;
  const database = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.NAVI_DATA_DIR }).catch(
    (error: unknown) => fail(error instanceof StartupError ? error.message : String(error)),
  );
  const server = createServer(async (_request, response) => {
    const users = await database.prisma.user.count();
    response.end(JSON.stringify({ ok: true, users, applied: database.appliedMigrations }));
  });
  server.once('error', (error: NodeJS.ErrnoException) => fail(`Port ${env.PORT} cannot be used (${error.code}).`));
  server.listen(env.PORT, env.HOST, () => process.stdout.write(`Navi listens on http://${env.HOST}:${env.PORT}\n`));
  const end = async () => {
    server.close();
    await database.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
}
