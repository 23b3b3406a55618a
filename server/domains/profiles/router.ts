import { procedure, router } from '../../trpc/init';
import { profileIdInput } from './schema';

export const profilesRouter = router({
  list: procedure.query(({ ctx }) => ({ items: ctx.services.profiles.list() })),
  get: procedure.input(profileIdInput).query(({ ctx, input }) => ctx.services.profiles.get(input.profileId)),
});
