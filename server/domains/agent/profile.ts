/** What a session runs under. One profile for now; people's own profiles come with their domain. */
import type { CompressionOverrides } from '../compression/engine/settings';
import type { ApprovalPolicy } from './tools/approval';

export interface Profile {
  id: string;
  name: string;
  /** Byte-stable: it stands at the head of every prompt. */
  prompt: string;
  /** The profile's own window in tokens; null takes the connection's. */
  contextWindowTokens: number | null;
  temperature: number | null;
  think: boolean;
  /** Where it differs from the default policy. */
  approvals: Partial<ApprovalPolicy>;
  /** Where compression differs from the general settings (`compression_keep_recent`, `compression_max_tokens`). */
  compression: CompressionOverrides;
  /** Instructions of the summariser in place of ours (`compression_prompt_file`); null takes ours. */
  compressionPrompt: string | null;
}

export const defaultProfile: Profile = {
  id: 'default',
  name: 'Navi',
  prompt: [
    'You are Navi, a capable and careful agent that works with a person in a chat.',
    'Answer in the language of the person. Be direct; say when you are not sure.',
    'Use the tools when they help: look things up instead of guessing, and check your work.',
    'Before a task of several steps, say briefly what you are going to do; when it is done, say what came of it.',
    'If a tool fails, read the reason, mend the call or take another way, and tell the person when neither works.',
    'Keep notes in the scratchpad for anything you will need later in a long task.',
    'Write Markdown. Put code into fenced blocks with their language.',
  ].join('\n'),
  contextWindowTokens: null,
  temperature: null,
  think: true,
  approvals: {},
  compression: {},
  compressionPrompt: null,
};
