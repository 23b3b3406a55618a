import { tracked } from '@trpc/server';
import * as z from 'zod';
import { idSchema } from '../lib/input-schemas';
import { procedure, router, withPublicErrors } from '../trpc/init';

export const eventsRouter = router({
  /** One session, live: a snapshot first (or exactly what was missed since `lastEventId`), then every event in order. */
  session: procedure
    .input(z.object({ sessionId: idSchema(), lastEventId: z.string().max(40).nullish() }))
    .subscription(async function* ({ ctx, input, signal }) {
      const events = ctx.services.feed.session(ctx.person, {
        sessionId: input.sessionId,
        lastEventId: input.lastEventId ?? null,
        signal: signal ?? new AbortController().signal,
      });
      for await (const { id, event } of withPublicErrors(ctx, events)) yield tracked(String(id), event);
    }),
  /** What lists need: sessions that appeared, changed or went. */
  user: procedure
    .input(z.object({ lastEventId: z.string().max(40).nullish() }).default({}))
    .subscription(async function* ({ ctx, signal }) {
      const events = ctx.services.feed.user(ctx.person, signal ?? new AbortController().signal);
      yield* withPublicErrors(ctx, events);
    }),
});
