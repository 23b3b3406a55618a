import { Subagent } from './subagent';
import { childOfCall, useChildren } from './use-children';

/** Below the call that started it: the subagent at its work, and what it did afterwards. Nothing until it is known. */
export default function SubagentCard({ sessionId, toolCallId }: { sessionId: string; toolCallId: string }) {
  const child = childOfCall(useChildren(sessionId), toolCallId);
  if (child === null) return null;
  return (
    <div className="mb-1.5 ml-6 rounded-card border border-line bg-sunken px-3 py-1">
      <Subagent child={child} isNamed={false} />
    </div>
  );
}
