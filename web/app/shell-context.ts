import { createContext, useContext } from 'react';

export interface ShellState {
  /** Whether it stands beside the pane; the pane then needs no button for it. */
  isSidebarShown: boolean;
  showSidebar(): void;
}

export const ShellContext = createContext<ShellState>({ isSidebarShown: true, showSidebar: () => {} });
export const useShell = (): ShellState => useContext(ShellContext);
