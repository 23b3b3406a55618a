import * as z from 'zod';
import { idSchema } from '../../lib/input-schemas';

const sessionId = idSchema();
export const runInput = z.object({ sessionId });
export const approveInput = z.object({
  sessionId,
  toolCallId: idSchema(200),
  decision: z.enum(['approved', 'denied']),
  /** Allows the tool for the rest of the session, where the approval says that this may be. */
  forSession: z.boolean().optional(),
});
export type ApproveInput = z.infer<typeof approveInput>;
