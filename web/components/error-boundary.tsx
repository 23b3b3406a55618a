import { Component, type ReactNode } from 'react';
import { Button } from './button';

interface ErrorBoundaryProps {
  /** What broke, as in "The chat could not be shown." */
  what: string;
  /** Another value clears the error: the pane shows something else now. */
  resetKey?: string;
  children: ReactNode;
}

/** Keeps a fault in one pane from taking the others along. React offers this only as a class. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.hasFailed && before.resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert" className="flex flex-col items-start gap-3 p-6 text-meta text-muted">
        <p>{this.props.what} could not be shown. Nothing was lost.</p>
        <Button onClick={() => this.setState({ hasFailed: false })}>Show it again</Button>
      </div>
    );
  }
}
