import { debugRouter } from '../domains/agent/debug-router';
import { modelsRouter, runsRouter } from '../domains/agent/router';
import { kvRouter } from '../domains/kv/router';
import { messagesRouter } from '../domains/messages/router';
import { profilesRouter } from '../domains/profiles/router';
import { sessionsRouter } from '../domains/sessions/router';
import { todosRouter } from '../domains/todos/router';
import { eventsRouter } from '../events/router';
import { router } from './init';

export const appRouter = router({
  sessions: sessionsRouter,
  messages: messagesRouter,
  runs: runsRouter,
  models: modelsRouter,
  debug: debugRouter,
  profiles: profilesRouter,
  kv: kvRouter,
  todos: todosRouter,
  events: eventsRouter,
});

/** The only thing of the server that the web client imports, beside schemas. */
export type AppRouter = typeof appRouter;
