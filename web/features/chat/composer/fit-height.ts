const growsByItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

/** Lets a text area grow with its text where the browser does not do it by itself. CSS holds the limits. */
export function fitHeight(field: HTMLTextAreaElement | null): void {
  if (growsByItself || field === null) return;
  field.style.height = 'auto';
  if (field.value !== '') field.style.height = `${field.scrollHeight}px`;
}
