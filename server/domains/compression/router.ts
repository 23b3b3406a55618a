import { procedure, router } from '../../trpc/init';
import { compressionIdInput, coveredInput, listCompressionsInput, runCompressionInput } from './schema';

export const compressionRouter = router({
  run: procedure
    .input(runCompressionInput)
    .mutation(({ ctx, input }) => ctx.services.context.compress(ctx.person, input)),
  undo: procedure
    .input(compressionIdInput)
    .mutation(({ ctx, input }) => ctx.services.context.undoCompression(ctx.person, input)),
  list: procedure
    .input(listCompressionsInput)
    .query(({ ctx, input }) => ctx.services.compressions.list(ctx.person, input.sessionId)),
  get: procedure.input(compressionIdInput).query(({ ctx, input }) => ctx.services.compressions.get(ctx.person, input)),
  covered: procedure
    .input(coveredInput)
    .query(({ ctx, input }) => ctx.services.compressions.covered(ctx.person, input)),
});
