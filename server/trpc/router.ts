import { debugRouter, modelsRouter, runsRouter } from '../domains/agent/router';
import { compressionRouter } from '../domains/compression/router';
import { filesRouter } from '../domains/files/router';
import { kvRouter } from '../domains/kv/router';
import { memoryRouter } from '../domains/memory/router';
import { messagesRouter } from '../domains/messages/router';
import { profilesRouter } from '../domains/profiles/router';
import { sessionsRouter } from '../domains/sessions/router';
import { sharesRouter } from '../domains/shares/router';
import { todosRouter } from '../domains/todos/router';
import { eventsRouter } from '../events/router';
import { router } from './init';

export const appRouter = router({
  sessions: sessionsRouter,
  messages: messagesRouter,
  runs: runsRouter,
  models: modelsRouter,
  profiles: profilesRouter,
  files: filesRouter,
  kv: kvRouter,
  todos: todosRouter,
  compression: compressionRouter,
  memory: memoryRouter,
  shares: sharesRouter,
  debug: debugRouter,
  events: eventsRouter,
});

/** The only thing of the server that the web client imports, beside schemas. */
export type AppRouter = typeof appRouter;
