/** One upload over the wire. XMLHttpRequest, because `fetch` does not tell how much of a body has gone out. */
import type { FileEntry, UploadAnswer } from '../../../../server/domains/files/schema';

export interface UploadHandlers {
  onProgress(sentBytes: number): void;
  onDone(file: FileEntry): void;
  /** `canRetry`: the file is good, only the way was not. */
  onFailed(words: string, canRetry: boolean): void;
}

export interface UploadTarget {
  sessionId: string;
  /** A raster image, for the model's eyes. */
  isImage: boolean;
}

export type SendFile = (file: File, target: UploadTarget, handlers: UploadHandlers) => { abort(): void };

/** Sends a file as `multipart/form-data`. Exactly one of `onDone` and `onFailed` is called, unless it is aborted. */
export const sendFile: SendFile = (file, { sessionId, isImage }, handlers) => {
  const request = new XMLHttpRequest();
  const form = new FormData();
  // Apart as well: in a form's header a quotation mark and a literal `%22` are the same.
  form.append('name', file.name);
  form.append('file', file, file.name);
  request.upload.onprogress = (event) => handlers.onProgress(event.loaded);
  request.onload = () => {
    const outcome = readAnswer(request.status, request.responseText);
    if (outcome.file === null) handlers.onFailed(outcome.words, outcome.canRetry);
    else handlers.onDone(outcome.file);
  };
  request.onerror = () => handlers.onFailed('The connection broke.', true);
  request.open('POST', `/api/sessions/${encodeURIComponent(sessionId)}/files${isImage ? '?as=image' : ''}`);
  request.send(form);
  return { abort: () => request.abort() };
};

type Outcome = { file: FileEntry } | { file: null; words: string; canRetry: boolean };

/** What the server answered: the stored file, its reason against it, or an error of the whole request. Pure. */
export function readAnswer(status: number, text: string): Outcome {
  let answer: Partial<UploadAnswer> & { error?: { message?: string } } = {};
  try {
    answer = JSON.parse(text);
  } catch {
    // A proxy's page: the status says enough.
  }
  const file = answer.files?.[0];
  if (file !== undefined) return { file };
  const refusal = answer.refused?.[0];
  const words = refusal?.message ?? answer.error?.message;
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (words !== undefined) return { file: null, words, canRetry: !isOurs };
  if (status === 413) return { file: null, words: 'This file is too large.', canRetry: false };
  return { file: null, words: 'The server could not store it.', canRetry: true };
}
