// biome-ignore lint/suspicious/noExplicitAny: whatever goes over the wire may be anything here
export type Anything = any;

/** One device or agent, and the socket that was opened to the honest server for it. */
export interface HostileConnection {
  readonly kind: 'human' | 'agent';
  /** Sends a frame to the device or agent. */
  push(frame: Anything): void;
  /** Sends a frame to the honest server in its name. */
  send(frame: Anything): void;
}
