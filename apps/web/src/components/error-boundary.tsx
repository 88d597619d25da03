import { RotateCcw, TriangleAlert } from 'lucide-react';
import type { ErrorInfo, ReactNode } from 'react';
import { Component } from 'react';
import { Button } from './ui/button.tsx';

interface Props {
  region: string;
  children: ReactNode;
}

/** Confines a failure to one region of the page. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(`${this.props.region} failed.`, error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="bg-surface flex flex-col items-start gap-3 rounded-lg border p-4 text-sm">
        <p className="flex items-center gap-2 font-medium">
          <TriangleAlert aria-hidden className="text-danger size-4" />
          {this.props.region} could not be shown.
        </p>
        <p className="text-muted">The rest of the page still works, and nothing was lost.</p>
        <Button variant="secondary" size="sm" onClick={() => this.setState({ failed: false })}>
          <RotateCcw aria-hidden />
          Try again
        </Button>
      </div>
    );
  }
}
