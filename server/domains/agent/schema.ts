import * as z from 'zod';

const sessionId = z.string().min(1).max(100);
export const runInput = z.object({ sessionId });
export const approveInput = z.object({
  sessionId,
  toolCallId: z.string().min(1).max(200),
  decision: z.enum(['approved', 'denied']),
});
export type ApproveInput = z.infer<typeof approveInput>;
