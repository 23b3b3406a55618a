/** What is pasted where a step is written: a list of several lines is several steps. Pure. */

/** Bullets, numbers and check boxes, as Markdown and word processors write them. */
const mark = /^\s*(?:(?:[-*+•–]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?/;

/** The steps of a pasted list, without what marks its lines; null for text that is one step, or none. */
export function pastedSteps(pasted: string): string[] | null {
  const steps = pasted
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(mark, '').trim())
    .filter((line) => line !== '');
  return steps.length > 1 ? steps : null;
}
