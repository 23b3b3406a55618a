/** Brings a prompt into what the Ollama package converts correctly. Pure. */
import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import { AppError } from '../lib/errors';

/**
 * Ollama takes images as bare base64 and arguments as objects; an image needs some text beside it because the package
 * would send a list where the API wants a string. Throws `invalid-input` for an image given as a web address.
 */
export function ollamaPrompt(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  return prompt.map(ollamaMessage);
}

function ollamaMessage(message: LanguageModelV3Message): LanguageModelV3Message {
  switch (message.role) {
    case 'system':
      return message;
    case 'user': {
      const content = message.content.map((part) =>
        part.type === 'file' ? { ...part, data: base64Of(part.data) } : part,
      );
      const hasText = content.some((part) => part.type === 'text' && part.text !== '');
      return { ...message, content: hasText ? content : [...content, { type: 'text', text: ' ' }] };
    }
    case 'assistant':
      return {
        ...message,
        content: message.content
          .filter((part) => part.type === 'text' || part.type === 'reasoning' || part.type === 'tool-call')
          .map((part) => (part.type === 'tool-call' ? { ...part, input: objectOf(part.input) } : part)),
      };
    case 'tool':
      return {
        ...message,
        content: message.content
          .filter((part) => part.type === 'tool-result')
          .map((part) => ({ ...part, output: textOutput(part.output) })),
      };
  }
}

function base64Of(data: Uint8Array | string | URL): string {
  if (data instanceof Uint8Array) return Buffer.from(data).toString('base64');
  const text = String(data);
  if (/^https?:/.test(text)) throw new AppError('invalid-input', 'Ollama takes images as files, not as web addresses.');
  return text.replace(/^data:[^,]*,/, '');
}

function objectOf(input: unknown): unknown {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  try {
    const parsed: unknown = JSON.parse(String(input));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // What is no object is shown to the model as it wrote it.
  }
  return { input };
}

function textOutput(output: LanguageModelV3ToolResultOutput): LanguageModelV3ToolResultOutput {
  if (output.type === 'execution-denied') {
    return { type: 'error-text', value: output.reason ?? 'The call was not allowed.' };
  }
  if (output.type !== 'content') return output;
  const texts = output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));
  return { type: 'text', value: texts.join('\n') };
}
