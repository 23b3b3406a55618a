import { procedure, router } from '../../trpc/init';
import {
  sessionIdInput,
  sharedPageSchema,
  shareMessagesInput,
  shareSchema,
  sharesCheckOutput,
  sharesListOutput,
  shareViewInput,
  shareViewSchema,
} from './schema';

/** `view` and `messages` are mutations so that the token is in a body by construction. Their answers are checked key by key. */
export const sharesRouter = router({
  check: procedure
    .input(sessionIdInput)
    .output(sharesCheckOutput)
    .query(({ ctx, input }) => ctx.services.shares.check(ctx.person, input.sessionId)),
  issue: procedure
    .input(sessionIdInput)
    .output(shareSchema)
    .mutation(({ ctx, input }) => ctx.services.shares.issue(ctx.person, input.sessionId, ctx.origin)),
  list: procedure.output(sharesListOutput).query(({ ctx }) => ctx.services.shares.list(ctx.person, ctx.origin)),
  view: procedure
    .input(shareViewInput)
    .output(shareViewSchema)
    .mutation(({ ctx, input }) => ctx.services.shares.view(input.token)),
  messages: procedure
    .input(shareMessagesInput)
    .output(sharedPageSchema)
    .mutation(({ ctx, input }) => ctx.services.shares.messages(input.token, input.beforeSeq)),
});
