import { procedure, router } from '../../trpc/init';
import { approveInput, runInput } from './schema';

export const runsRouter = router({
  stop: procedure.input(runInput).mutation(({ ctx, input }) => ctx.services.agent.stop(ctx.person, input.sessionId)),
  resume: procedure
    .input(runInput)
    .mutation(({ ctx, input }) => ctx.services.agent.resume(ctx.person, input.sessionId)),
  approve: procedure.input(approveInput).mutation(({ ctx, input }) => ctx.services.agent.approve(ctx.person, input)),
});

export const debugRouter = router({
  context: procedure.input(runInput).query(({ ctx, input }) => ctx.services.context.view(ctx.person, input.sessionId)),
  planning: procedure
    .input(runInput)
    .query(({ ctx, input }) => ctx.services.planning.listLogs(ctx.person, input.sessionId)),
});

export const modelsRouter = router({
  list: procedure.query(({ ctx }) => ctx.services.agent.models()),
});
