/** A question takes no answer before it has been visible and still for this long (WC-10). */
const STILL_MS = 500;

/**
 * Decides whether a click or key is an answer (WC-10). The question may appear, move or change between the moment when a
 * hand began to move and the moment when it arrives, so what counts is what could be answered when the press began.
 */
export interface AnswerGate {
  /** A question has taken the place of another: nothing that was begun before counts for it. */
  begin(question: string): void;
  /** To be called all the time. `view` is how the question looks and where; undefined while nobody can see it. */
  look(question: string, view: string | undefined, now: number): boolean;
  isOpen(question: string): boolean;
  /** A pointer went down, on an answer or anywhere else. */
  pointerDown(pointer: number, answer: unknown): void;
  /** Whatever comes of this press is no answer. */
  pointerCancel(pointer: number): void;
  /** A key that presses buttons went down; again and again while it is held. */
  keyDown(key: string, answer: unknown, isRepeated: boolean): void;
  /** The click that a key makes comes before this. */
  keyUp(key: string): void;
  /** The page no longer hears of keys: what is still held when it does began before. */
  keysLost(): void;
  /** `pointer` is undefined for keys and for assistive technology, whose clicks come from nowhere. */
  takesClick(question: string, answer: unknown, pointer: number | undefined): boolean;
}

interface Press {
  readonly answer: unknown;
  /** Undefined where nothing could be answered when it began. */
  readonly round: number | undefined;
}

const REFUSED: Press = { answer: undefined, round: undefined };
/** Each touch is another pointer, and most end without a click. */
const MAX_POINTERS = 20;

export function createAnswerGate(): AnswerGate {
  let current: string | undefined;
  let seen: string | undefined;
  let stillSince = 0;
  let isOpen = false;
  /** One question as it looks; each change begins the next. */
  let round = 0;
  /** The latest is the last. One that was refused stays until the next press of the same pointer or key. */
  const pointers = new Map<number, Press>();
  const keys = new Map<string, Press>();

  const close = () => {
    round++;
    isOpen = false;
    seen = undefined;
  };
  const press = (answer: unknown): Press => ({ answer, round: isOpen ? round : undefined });
  const counts = (answer: unknown, begun: Press) => begun.round === round && begun.answer === answer;
  const begin = (question: string) => {
    if (question === current) return;
    current = question;
    close();
  };

  return {
    begin,
    look(question, view, now) {
      begin(question);
      if (view === undefined) close();
      else if (view !== seen) {
        close();
        seen = view;
        stillSince = now;
      } else if (now - stillSince >= STILL_MS) isOpen = true;
      return isOpen;
    },
    isOpen: (question) => question === current && isOpen,
    pointerDown(pointer, answer) {
      pointers.delete(pointer);
      pointers.set(pointer, press(answer));
      if (pointers.size > MAX_POINTERS) pointers.delete(pointers.keys().next().value!);
    },
    pointerCancel(pointer) {
      if (pointers.has(pointer)) pointers.set(pointer, REFUSED);
    },
    keyDown(key, answer, isRepeated) {
      if (!isRepeated) keys.set(key, press(answer));
      // One that was pressed elsewhere and is still held began before anything here.
      else if (!keys.has(key)) keys.set(key, REFUSED);
    },
    keyUp(key) {
      keys.delete(key);
    },
    keysLost: () => keys.clear(),
    takesClick(question, answer, pointer) {
      const begun =
        pointer === undefined ? [...keys.values()] : [pointers.get(pointer) ?? [...pointers.values()].at(-1)];
      if (question !== current || !isOpen || !begun.every((one) => one === undefined || counts(answer, one)))
        return false;
      if (pointer !== undefined) pointers.delete(pointer);
      return true;
    },
  };
}
