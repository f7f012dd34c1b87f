/** A reply that is JSON already: what is stored as text is not parsed to be written again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
