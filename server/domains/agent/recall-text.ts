/** Recalled excerpts as the model reads them: where each comes from, then its words. */
export function recallText(
  excerpts: readonly { firstSequence: number; lastSequence: number; startedAt: string; text: string }[],
): string {
  return excerpts
    .map(({ firstSequence, lastSequence, startedAt, text }) => {
      const where =
        firstSequence === lastSequence ? `message ${firstSequence}` : `messages ${firstSequence} to ${lastSequence}`;
      return `(${where}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC)\n${text}`;
    })
    .join('\n\n');
}
