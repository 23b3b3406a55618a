import { procedure, router } from '../../trpc/init';
import { runInput } from './schema';

/** Views of what usually stays behind the scenes. */
export const debugRouter = router({
  planning: procedure
    .input(runInput)
    .query(({ ctx, input }) => ctx.services.planning.listLogs(ctx.person, input.sessionId)),
});
