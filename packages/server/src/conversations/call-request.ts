/** A tool call that a device wants to run, or cannot run. */
export interface CallRequest {
  readonly messageId: string;
  /** The conversation that the caller names for the message. */
  readonly conversationId?: string;
}

export interface DeviceCallRequest extends CallRequest {
  readonly accountId: string;
  readonly deviceId: string;
}
