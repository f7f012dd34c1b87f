import { Component, type ReactNode } from 'react';

interface ContainedProps {
  /** What is drawn; another one gets another try. */
  readonly subject: unknown;
  /** Takes its place if it cannot be drawn. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** What an agent sent and cannot be drawn takes nothing else from the page (WC-31). */
export class Contained extends Component<ContainedProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ subject }: ContainedProps): void {
    if (this.state.hasFailed && subject !== this.props.subject) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
