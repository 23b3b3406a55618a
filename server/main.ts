/** Process entry: reads the environment, builds the app, listens, closes on signal. Every refusal is one readable line. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type App, createApp } from './app';
import { openDatabase } from './database/open';
import { createShareDrawing } from './domains/shares/draw';
import { isLoopback } from './door/host';
import { type Env, readEnv } from './env';
import { createHttpServer } from './http';
import { systemClock } from './lib/clock';
import { StartupError } from './lib/startup-error';
import { createCallModel } from './providers/call-model';
import { OLLAMA_DEFAULT_BASE_URL } from './providers/connection-ollama';
import { createModelRegistry } from './providers/registry';
import type { ResolvedModel } from './providers/types';

/** Milliseconds that closing may take before the process ends all the same. */
const CLOSE_TIMEOUT_MS = 8_000;

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (folder !== dirname(folder)) {
    try {
      const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
      if (name === 'navi') return folder;
    } catch {
      // No package.json here: go on upwards.
    }
    folder = dirname(folder);
  }
  throw new StartupError('The folder of Navi cannot be found from its program.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function listen(http: ReturnType<typeof createHttpServer>['http'], env: Env): Promise<string> {
  try {
    return await http.listen({ port: env.PORT, host: env.HOST });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${env.PORT} is in use. Stop the other program, or choose another port with PORT=3001.`,
      );
    }
    if (code === 'EACCES')
      throw new StartupError(`Port ${env.PORT} may not be used by this user. Choose one above 1023 with PORT.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartupError(`HOST ${env.HOST} is not an address of this machine.`);
    }
    throw error;
  }
}

function describeModel(model: ResolvedModel): string {
  if (model.isDemo) return 'the built-in demo answers. Start Ollama, or set OPENAI_BASE_URL, to talk to a real one.';
  return model.waitsFor === null ? model.id : `none yet. ${model.waitsFor} It is asked again with every message.`;
}

async function start(env: Env): Promise<() => Promise<void>> {
  if (!isLoopback(env.HOST) && !env.NAVI_ALLOW_OPEN_ACCESS) {
    throw new StartupError(
      `HOST ${env.HOST} would let everybody on the network in, as there are no accounts. Keep 127.0.0.1, or set NAVI_ALLOW_OPEN_ACCESS=true if that is meant.`,
    );
  }
  const root = findRoot();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const logger = pino({ level: env.NAVI_LOG_LEVEL }, pino.destination({ dest: 2, sync: false }));
  const { http, open } = createHttpServer({
    allowedHosts: env.NAVI_ALLOWED_HOSTS,
    webDir: join(root, 'dist', 'web'),
    version,
    database: env.DATABASE_URL === undefined ? 'embedded' : 'external',
    drawShare: createShareDrawing({
      modulePath: join(root, 'dist', 'server', 'draw-share.js'),
      reportUnexpected: (error) => logger.error({ err: error }, 'the first screen of a share could not be drawn'),
    }),
  });
  // First of all, so that a port in use is told before a database is opened.
  const address = await listen(http, env);

  let app: App | null = null;
  const close = async () => {
    await http.close();
    await app?.close();
  };
  try {
    const database = await openDatabase({
      databaseUrl: env.DATABASE_URL,
      dataDir: env.NAVI_DATA_DIR,
      onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
      onLost: (error) => {
        process.stderr.write(`The embedded database stopped: ${error.message}\n`);
        process.exit(1);
      },
    });
    const models = createModelRegistry({
      ollamaBaseUrl: env.OLLAMA_BASE_URL ?? OLLAMA_DEFAULT_BASE_URL,
      isOllamaConfigured: env.OLLAMA_BASE_URL !== undefined,
      openaiBaseUrl: env.OPENAI_BASE_URL ?? null,
      openaiApiKey: env.OPENAI_API_KEY ?? null,
      ollamaNumCtx: env.NAVI_OLLAMA_NUM_CTX,
      openaiContextWindow: env.NAVI_OPENAI_CONTEXT_WINDOW,
      defaultModel: env.NAVI_MODEL ?? null,
      clock: systemClock,
    });
    const callModel = createCallModel({
      clock: systemClock,
      firstByteTimeoutMs: env.NAVI_MODEL_FIRST_BYTE_TIMEOUT_MS,
      idleTimeoutMs: env.NAVI_MODEL_IDLE_TIMEOUT_MS,
      secrets: env.OPENAI_API_KEY === undefined ? [] : [env.OPENAI_API_KEY],
    });
    app = await createApp({ env, database, models, callModel, clock: systemClock, logger });
    open(app);
    const model = await models.defaultModel();
    say(`Database: ${database.engine === 'embedded' ? `embedded, in ${env.NAVI_DATA_DIR}` : 'external PostgreSQL'}`);
    say(`Model: ${describeModel(model)}`);
    say(`Navi is ready: ${address}`);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function main(): Promise<void> {
  const parsed = readEnv(process.env);
  if (!parsed.ok) {
    for (const problem of parsed.problems) process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
  let isClosing = false;
  let close: (() => Promise<void>) | null = null;
  const end = () => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    void (close?.() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  try {
    close = await start(parsed.env);
    if (isClosing) await close();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

await main();
