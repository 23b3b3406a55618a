import { procedure, router } from '../../trpc/init';
import { fileInput, filesListInput } from './schema';

export const filesRouter = router({
  list: procedure.input(filesListInput).query(({ ctx, input }) => ctx.services.files.list(ctx.person, input.sessionId)),
  publish: procedure
    .input(fileInput)
    .mutation(({ ctx, input }) => ctx.services.files.publish(ctx.person, input.sessionId, input.fileId)),
  remove: procedure
    .input(fileInput)
    .mutation(({ ctx, input }) => ctx.services.files.remove(ctx.person, input.sessionId, input.fileId)),
});
