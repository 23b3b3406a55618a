import type { KeyboardEvent } from 'react';

/**
 * Whether a key belongs to an input method (Japanese, Chinese, …): the Enter that ends a composition sends and saves nothing. Safari
 * reports that one as key 229, and as no part of a composition.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229;
