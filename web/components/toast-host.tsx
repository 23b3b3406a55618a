/**
 * The place where toasts appear, as a chunk of its own: most visits never show one. Loading the module mounts it, once, in
 * a root of its own, because a toast must outlive the pane that caused it.
 */
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster, toast } from 'sonner';
import type { ToastOptions } from '../lib/toast';

function Host({ onMounted }: { onMounted(): void }) {
  useEffect(onMounted, [onMounted]);
  // At the top: the bottom belongs to the composer.
  return <Toaster position="top-center" visibleToasts={4} offset={14} mobileOffset={10} />;
}

const mounted = new Promise<void>((resolve) => {
  const element = document.body.appendChild(document.createElement('div'));
  createRoot(element).render(<Host onMounted={resolve} />);
});

export async function show(text: string, { isError = false, ...options }: ToastOptions): Promise<void> {
  await mounted;
  if (isError) toast.error(text, options);
  else toast(text, options);
}
