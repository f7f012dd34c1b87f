/** A tool call that a device wants to run, or cannot run. */
export interface CallRequest {
  readonly messageId: string;
  /** Where the caller says that the message is. */
  readonly conversationId?: string;
}

export interface DeviceCallRequest extends CallRequest {
  readonly accountId: string;
  readonly deviceId: string;
}
