import { createHash } from 'node:crypto';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { PromptFrame } from '../compression/meter';
import type { Profile } from '../profiles/schema';

/** What a prompt carries beside its messages, measured for the meter. Lengths in characters. */
export function frameOf(
  profile: Pick<Profile, 'prompt'>,
  notices: readonly string[],
  tools: readonly LanguageModelV3FunctionTool[],
): PromptFrame {
  const described = tools.length === 0 ? '' : JSON.stringify(tools);
  return {
    systemChars: profile.prompt.length,
    noticeChars: notices.reduce((sum, notice) => sum + notice.length, 0),
    toolChars: described.length,
    toolsFingerprint: createHash('sha256').update(described).digest('hex').slice(0, 16),
  };
}
