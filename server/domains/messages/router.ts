import { procedure, router } from '../../trpc/init';
import {
  cancelQueuedInput,
  editAndResendInput,
  editQueuedInput,
  messagesPageInput,
  rateInput,
  regenerateInput,
  selectVariantInput,
  sendInput,
  sessionIdInput,
} from './schema';

export const messagesRouter = router({
  page: procedure.input(messagesPageInput).query(({ ctx, input }) => ctx.services.messages.page(ctx.person, input)),
  send: procedure.input(sendInput).mutation(({ ctx, input }) => ctx.services.agent.send(ctx.person, input)),
  queue: procedure
    .input(sessionIdInput)
    .query(({ ctx, input }) => ctx.services.agent.queue(ctx.person, input.sessionId)),
  cancelQueued: procedure
    .input(cancelQueuedInput)
    .mutation(({ ctx, input }) => ctx.services.agent.cancelQueued(ctx.person, input)),
  editQueued: procedure
    .input(editQueuedInput)
    .mutation(({ ctx, input }) => ctx.services.agent.editQueued(ctx.person, input)),
  regenerate: procedure
    .input(regenerateInput)
    .mutation(({ ctx, input }) => ctx.services.agent.regenerate(ctx.person, input)),
  editAndResend: procedure
    .input(editAndResendInput)
    .mutation(({ ctx, input }) => ctx.services.agent.editAndResend(ctx.person, input)),
  selectVariant: procedure
    .input(selectVariantInput)
    .mutation(({ ctx, input }) => ctx.services.agent.selectVariant(ctx.person, input)),
  rate: procedure.input(rateInput).mutation(({ ctx, input }) => ctx.services.messages.rate(ctx.person, input)),
});
