import type { ContextMeter } from '../compression/schema';
import type { Message } from '../messages/schema';

/** One message as the model is sent it. */
export interface ContextViewMessage {
  sequenceNumber: number;
  role: Message['role'];
  /** `summary`, or what a service record is about; null for what was said. */
  source: string | null;
  name: string | null;
  /** Cut as the model gets it. */
  text: string;
  toolCalls: Message['toolCalls'];
  /** Price inside the prompt, its calls and images included. */
  tokens: number;
  storedChars: number;
  isTruncated: boolean;
  createdAt: string;
}

/** What the model would be sent now. */
export interface ContextView {
  meter: ContextMeter;
  profileId: string;
  systemPrompt: { text: string; tokens: number };
  /** Built for this call and stored nowhere. */
  notices: { text: string; tokens: number }[];
  tools: { name: string; chars: number }[];
  /** In the order in which they are sent. */
  messages: ContextViewMessage[];
  /** Most tokens that the view of one message takes. */
  messageBudgetTokens: number;
  promptChars: number;
  calibration: { source: 'calibrated' | 'estimated'; tokensPerChar: number; overheadTokens: number };
  /** Why automatic compression is held back; null while it is not. */
  breaker: 'fixed-overhead' | 'no-progress' | null;
  /** The last prompt was cut by its server. */
  isLastPromptTruncated: boolean;
}
