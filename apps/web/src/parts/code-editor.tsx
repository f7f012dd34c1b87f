import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

/** Colours come from the page, because custom properties reach into the shadow root. */
const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '0.85rem', height: '100%' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent-soft) 50%, transparent)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '0.5rem',
    color: 'var(--ink)',
    maxWidth: 'min(28rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '14rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionInfo': { padding: '0.5rem 0.75rem', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)', padding: '0.4rem 0.75rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--high)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--medium)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--low-soft) !important' },
  '.cm-deletedLine': { backgroundColor: 'var(--high-soft) !important' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--high-soft) !important' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--low) 22%, transparent) !important' },
  '&.cm-merge-a .cm-changedText': { background: 'color-mix(in srgb, var(--high) 22%, transparent) !important' },
  // On a coloured background the colours of the syntax would be too faint.
  '.cm-changedText, .cm-changedText *, .cm-deletedChunk *': { color: 'var(--ink)' },
  '.cm-collapsedLines': { background: 'var(--raised) !important', color: 'var(--muted)', padding: '0.25rem 0.75rem' },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.string, color: 'var(--low)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--medium)' },
  { tag: [tags.punctuation, tags.separator], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--high)' },
]);

const common: Extension = [
  THEME,
  json(),
  lineNumbers(),
  foldGutter(),
  history(),
  bracketMatching(),
  highlightActiveLine(),
  syntaxHighlighting(COLOURS),
  // Tab leaves the editor, as everywhere on the page (WCAG 2.1.2).
  keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap]),
  EditorView.lineWrapping,
];

/** Whatever is typed into what is only shown, the browser does not touch it. */
const NOT_EDITED: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

/**
 * Where typed text replaces a selection, the browser gives it the style of what was there before, as a style attribute,
 * which the page's policy stops with an error on the console. So the text is replaced here, before the browser does it.
 */
const typedOverSelection: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    if (event.inputType !== 'insertText' || event.data === null || state.selection.main.empty) return false;
    view.dispatch(state.update(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true }));
    event.preventDefault();
    return true;
  },
});

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly diagnose?: (text: string) => readonly Diagnostic[];
  readonly complete?: CompletionSource;
  /** The position of the cursor; each new object moves it. */
  readonly goTo?: { readonly at: number } | undefined;
}

/**
 * The editor writes style elements, which the page's policy forbids; inside a shadow root it uses constructed style
 * sheets instead.
 */
export function CodeEditor({ label, value, onChange, diagnose, complete, goTo }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const typed = useRef<string[]>([]);
  const isReplacing = useRef(false);
  const latest = useRef({ onChange, diagnose });
  latest.current = { onChange, diagnose };

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; later values go through the effects below
  useEffect(() => {
    const root = shadowOf(host.current!);
    const editor = new EditorView({
      root,
      parent: root,
      doc: value,
      extensions: [
        common,
        reachable(label),
        onChange === undefined ? NOT_EDITED : typedOverSelection,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || isReplacing.current) return;
          const text = update.state.doc.toString();
          typed.current.push(text);
          latest.current.onChange?.(text);
        }),
        ...(diagnose === undefined
          ? []
          : [lintGutter(), linter((current) => [...latest.current.diagnose!(current.state.doc.toString())])]),
        ...(complete === undefined ? [] : [autocompletion({ override: [complete], icons: false })]),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    // The typed text comes back as `value` a moment later; what was typed since must not be overwritten.
    const own = typed.current.indexOf(value);
    typed.current.splice(0, own < 0 ? typed.current.length : own + 1);
    if (editor === null || own >= 0 || editor.state.doc.toString() === value) return;
    isReplacing.current = true;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    isReplacing.current = false;
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === undefined) return;
    const anchor = Math.min(goTo.at, editor.state.doc.length);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    editor.focus();
  }, [goTo]);

  return <div ref={host} className="h-[28rem] overflow-hidden rounded-lg border" />;
}

const NARROW = '(max-width: 639px)';
const FOLD = { margin: 3, minSize: 6 };

/** Shows the differences of two read-only texts side by side, or one below the other on a narrow screen. */
export function CompareTexts({
  before,
  after,
  labels,
}: {
  readonly before: string;
  readonly after: string;
  readonly labels: readonly [string, string];
}) {
  const host = useRef<HTMLDivElement>(null);
  const [left, right] = labels;
  useEffect(() => {
    const root = shadowOf(host.current!);
    const side = (doc: string, label: string, ...more: Extension[]) => ({
      doc,
      extensions: [common, NOT_EDITED, reachable(label), ...more],
    });
    const drawn = matchMedia(NARROW).matches
      ? new EditorView({
          ...side(
            after,
            `${left} → ${right}`,
            unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: FOLD }),
          ),
          root,
          parent: root,
        })
      : new MergeView({ a: side(before, left), b: side(after, right), parent: root, root, collapseUnchanged: FOLD });
    return () => drawn.destroy();
  }, [before, after, left, right]);
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="grid grid-cols-2 gap-2 text-sm text-muted">
        <span>{left}</span>
        <span>{right}</span>
      </figcaption>
      <div ref={host} className="max-h-[32rem] overflow-auto rounded-lg border" />
    </figure>
  );
}

/** It is marked as a tab stop, because some assistive tools do not know that an editable element is one. */
function reachable(label: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
}

function shadowOf(element: HTMLElement): ShadowRoot {
  return element.shadowRoot ?? element.attachShadow({ mode: 'open' });
}
