/** Another device of the account. */
export interface OtherDevice {
  readonly deviceId: string;
  readonly name: string;
}
