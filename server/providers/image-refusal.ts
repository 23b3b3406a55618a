/** Whether an endpoint refused a call because its model takes no images at all. One picture that is refused is another matter. */
import { facts } from './error-facts';

/** A bad request, no route for it, no way to process it; or a server that has no code for it and gives up. */
const STATUSES: ReadonlySet<number | null> = new Set([400, 404, 415, 422, 500, 501, null]);

/**
 * The field that OpenAI and its relatives name: the type of a part of a message. Nothing that we send has parts of a type
 * that could be refused but images.
 */
const REFUSED_PART = /"param"\s*:\s*"messages\.?\[?\d+\]?\.content\.?\[?\d+\]?\.type"/;

/**
 * The others name no field, so that only their words are left: OpenAI, vLLM, llama.cpp and llamafile, LM Studio, Ollama, Mistral, Groq,
 * OpenRouter, DeepSeek and other servers written in Rust, as reported in public issues until 2026.
 */
const WORDS = [
  /image_url is only supported/,
  /not a multimodal model/,
  /at most 0 image/,
  /image inputs? (?:is|are) not (?:supported|enabled)/,
  /unsupported content part type: \\*"?image_url/,
  /not compiled for multimodal/,
  // "Does not support image format" is about one picture.
  /(?:does ?n[o']t|do not|not) support (?:image|vision|multimodal)(?: input|s)?\b(?! (?:format|type|size|media))/,
  /images? (?:is|are) not supported (?:by|for|with) (?:this|the) (?:model|server)/,
  /support image input/,
  /unknown variant `?image_url/,
  /content must be a string/,
  /content\.type is invalid,? allowed values: \[?['"]text/,
  /missing data required for image|vision model not found/,
];

export function isImageRefusal(thrown: unknown): boolean {
  const { status, text } = facts(thrown);
  if (!STATUSES.has(status)) return false;
  if (REFUSED_PART.test(text)) return true;
  const lower = text.toLowerCase();
  return WORDS.some((words) => words.test(lower));
}
