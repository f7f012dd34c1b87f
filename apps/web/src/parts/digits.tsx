import { QrCode } from './qr.tsx';

/** Shows a safety number (EE-9) that people read aloud or scan. */
export function Digits({ text, label }: { readonly text: string; readonly label: string }) {
  const digits = text.replace(/\D/g, '');
  return (
    <div className="flex flex-wrap items-center justify-center gap-6">
      <p className="grid grid-cols-3 gap-x-4 gap-y-2 text-center font-mono text-lg tabular-nums">
        {digits.match(/\d{5}/g)?.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups of digits stand where they stand
          <span key={index}>{group}</span>
        ))}
      </p>
      <QrCode text={digits} label={label} />
    </div>
  );
}
