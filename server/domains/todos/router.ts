import { procedure, router } from '../../trpc/init';
import {
  addStepInput,
  clearTodosInput,
  listProtocolsInput,
  listRevisionsInput,
  moveStepInput,
  removeStepInput,
  restoreRevisionInput,
  sessionIdInput,
  setTodosInput,
  startProtocolInput,
  updateStepInput,
} from './schema';

export const todosRouter = router({
  protocols: procedure
    .input(listProtocolsInput)
    .query(({ ctx, input }) => ctx.services.protocols.listFor(ctx.person, input.sessionId)),
  startProtocol: procedure
    .input(startProtocolInput)
    .mutation(({ ctx, input }) => ctx.services.protocols.startFor(ctx.person, input)),
  get: procedure.input(sessionIdInput).query(({ ctx, input }) => ctx.services.todos.get(ctx.person, input.sessionId)),
  set: procedure.input(setTodosInput).mutation(({ ctx, input }) => ctx.services.todos.set(ctx.person, input)),
  addStep: procedure.input(addStepInput).mutation(({ ctx, input }) => ctx.services.todos.addStep(ctx.person, input)),
  updateStep: procedure
    .input(updateStepInput)
    .mutation(({ ctx, input }) => ctx.services.todos.updateStep(ctx.person, input)),
  removeStep: procedure
    .input(removeStepInput)
    .mutation(({ ctx, input }) => ctx.services.todos.removeStep(ctx.person, input)),
  moveStep: procedure.input(moveStepInput).mutation(({ ctx, input }) => ctx.services.todos.moveStep(ctx.person, input)),
  clear: procedure.input(clearTodosInput).mutation(({ ctx, input }) => ctx.services.todos.clear(ctx.person, input)),
  revisions: procedure
    .input(listRevisionsInput)
    .query(({ ctx, input }) => ctx.services.todos.listRevisions(ctx.person, input)),
  restore: procedure
    .input(restoreRevisionInput)
    .mutation(({ ctx, input }) => ctx.services.todos.restore(ctx.person, input)),
});
