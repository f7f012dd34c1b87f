import { beforeEach, describe, expect, it } from 'vitest';
import { type AnswerGate, createAnswerGate } from './answer-gate.ts';

const MOUSE = 1;
const FINGER = 2;

let gate: AnswerGate;
let now: number;
beforeEach(() => {
  gate = createAnswerGate();
  now = 1_000;
});

const frames = (ms: number, view: string | undefined = 'as it is', question = 'one') => {
  for (const end = now + ms; now < end; ) {
    now += 20;
    gate.look(question, view, now);
  }
};
/** The first look at it. */
const show = (view = 'as it is', question = 'one') => gate.look(question, view, now);

describe('WC-10 when a question takes an answer', () => {
  it('WC-10 after half a second of stillness, and the first one too', () => {
    show();
    frames(480);
    expect(gate.isOpen('one')).toBe(false);
    frames(20);
    expect(gate.isOpen('one')).toBe(true);
    expect(gate.isOpen('two')).toBe(false);
  });

  it('WC-10 a change of its look or place begins the half second anew, also when it was answerable', () => {
    show();
    frames(600);
    expect(show('moved')).toBe(false);
    frames(480, 'moved');
    expect(show('moved again')).toBe(false);
    frames(480, 'moved again');
    expect(gate.isOpen('one')).toBe(false);
    frames(20, 'moved again');
    expect(gate.isOpen('one')).toBe(true);
  });

  it('WC-10 a hidden page begins it anew, however long it was hidden', () => {
    show();
    frames(600);
    gate.look('one', undefined, now);
    now += 60_000;
    expect(show()).toBe(false);
    frames(480);
    expect(gate.isOpen('one')).toBe(false);
    frames(20);
    expect(gate.isOpen('one')).toBe(true);
  });

  it('WC-10 another question that takes its place is closed at once, before anyone has looked at it', () => {
    show();
    frames(600);
    gate.begin('two');
    expect(gate.isOpen('two')).toBe(false);
    expect(gate.isOpen('one')).toBe(false);
    expect(gate.takesClick('two', 'allow', undefined)).toBe(false);
  });
});

describe('WC-10 what counts as an answer', () => {
  beforeEach(() => {
    show();
    frames(600);
  });

  it('WC-10 a press of pointer or key that began on the same answer, while it could be given', () => {
    gate.pointerDown(MOUSE, 'allow');
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(true);
    gate.keyDown('Enter', 'deny', false);
    expect(gate.takesClick('one', 'deny', undefined)).toBe(true);
  });

  it('WC-10 a click of assistive technology, which nothing comes before', () => {
    expect(gate.takesClick('one', 'allow', undefined)).toBe(true);
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(true);
    gate.keyDown('Enter', 'deny', false);
    gate.keyUp('Enter');
    expect(gate.takesClick('one', 'allow', undefined)).toBe(true);
  });

  it('WC-10 attack: a press that began before the question, on its predecessor or elsewhere decides nothing', () => {
    gate.pointerDown(MOUSE, 'allow');
    gate.keyDown('Enter', 'allow', false);
    gate.begin('two');
    show('as it is', 'two');
    frames(600, 'as it is', 'two');
    expect(gate.isOpen('two')).toBe(true);
    expect(gate.takesClick('two', 'allow', MOUSE)).toBe(false);
    expect(gate.takesClick('two', 'allow', undefined)).toBe(false);
    gate.pointerDown(MOUSE, undefined);
    expect(gate.takesClick('two', 'allow', MOUSE)).toBe(false);
    gate.pointerDown(MOUSE, 'deny');
    expect(gate.takesClick('two', 'allow', MOUSE)).toBe(false);
  });

  it('WC-10 attack: something moves under a pointer that is down: neither what was there nor what is there is chosen', () => {
    gate.pointerDown(MOUSE, 'allow');
    show('moved');
    frames(600, 'moved');
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(false);
  });

  it('WC-10 a key that is held decides nothing, wherever it was pressed first', () => {
    show('moved');
    gate.keyDown('Enter', 'allow', false);
    frames(600, 'moved');
    gate.keyDown('Enter', 'allow', true);
    expect(gate.takesClick('one', 'allow', undefined)).toBe(false);
    gate.keyUp('Enter');
    gate.keyDown('Enter', 'allow', true);
    expect(gate.takesClick('one', 'allow', undefined)).toBe(false);
    gate.keyUp('Enter');
    gate.keyDown('Enter', 'allow', false);
    expect(gate.takesClick('one', 'allow', undefined)).toBe(true);
  });

  it('WC-10 attack: a press that began too early stays refused, whatever another pointer or key does, or its own end', () => {
    show('moved');
    gate.pointerDown(MOUSE, 'allow');
    gate.pointerDown(FINGER, undefined);
    gate.pointerCancel(FINGER);
    gate.keyDown(' ', 'allow', false);
    gate.keyDown('Enter', 'allow', false);
    gate.keyUp('Enter');
    frames(600, 'moved');
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(false);
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(false);
    expect(gate.takesClick('one', 'allow', undefined)).toBe(false);
    gate.pointerCancel(MOUSE);
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(false);
    gate.keyUp(' ');
    expect(gate.takesClick('one', 'allow', undefined)).toBe(true);
    gate.pointerDown(MOUSE, 'allow');
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(true);
  });

  it('WC-10 attack: where the browser does not say which pointer a click is of, the last press decides', () => {
    show('moved');
    gate.pointerDown(FINGER, 'allow');
    frames(600, 'moved');
    expect(gate.takesClick('one', 'allow', -1)).toBe(false);
    gate.pointerDown(FINGER, 'allow');
    expect(gate.takesClick('one', 'allow', -1)).toBe(true);
  });

  it('WC-10 a pointer that was cancelled pressed nothing', () => {
    gate.look('one', 'moved', now);
    gate.pointerDown(MOUSE, 'allow');
    gate.pointerCancel(MOUSE);
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(false);
    frames(600, 'moved');
    gate.pointerDown(MOUSE, 'allow');
    expect(gate.takesClick('one', 'allow', MOUSE)).toBe(true);
  });
});
