import { procedure, router } from '../../trpc/init';
import {
  createSessionInput,
  exportSessionInput,
  forkSessionInput,
  listSessionsInput,
  renameSessionInput,
  sessionIdInput,
  setModelInput,
  setPinnedInput,
  switchProfileInput,
} from './schema';

export const sessionsRouter = router({
  create: procedure
    .input(createSessionInput)
    .mutation(({ ctx, input }) => ctx.services.sessions.create(ctx.person, input)),
  list: procedure.input(listSessionsInput).query(({ ctx, input }) => ctx.services.sessions.list(ctx.person, input)),
  get: procedure
    .input(sessionIdInput)
    .query(({ ctx, input }) => ctx.services.sessions.get(ctx.person, input.sessionId)),
  children: procedure
    .input(sessionIdInput)
    .query(({ ctx, input }) => ctx.services.sessions.children(ctx.person, input.sessionId)),
  rename: procedure
    .input(renameSessionInput)
    .mutation(({ ctx, input }) => ctx.services.sessions.rename(ctx.person, input)),
  setPinned: procedure
    .input(setPinnedInput)
    .mutation(({ ctx, input }) => ctx.services.sessions.setPinned(ctx.person, input)),
  setModel: procedure
    .input(setModelInput)
    .mutation(({ ctx, input }) => ctx.services.switching.setModel(ctx.person, input)),
  switchProfile: procedure
    .input(switchProfileInput)
    .mutation(({ ctx, input }) => ctx.services.switching.switchProfile(ctx.person, input)),
  remove: procedure
    .input(sessionIdInput)
    .mutation(({ ctx, input }) => ctx.services.sessions.remove(ctx.person, input.sessionId)),
  restore: procedure
    .input(sessionIdInput)
    .mutation(({ ctx, input }) => ctx.services.sessions.restore(ctx.person, input.sessionId)),
  fork: procedure
    .input(forkSessionInput)
    .mutation(({ ctx, input }) => ctx.services.messages.forkSession(ctx.person, input)),
  export: procedure
    .input(exportSessionInput)
    .mutation(({ ctx, input }) => ctx.services.messages.exportSession(ctx.person, input)),
});
