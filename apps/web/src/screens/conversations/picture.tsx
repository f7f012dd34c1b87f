import { useEffect, useState } from 'react';

export function Picture({ blob, alt }: { readonly blob: Blob; readonly alt: string }) {
  const [url, setUrl] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card's picture never changes
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, []);
  return url === undefined ? null : <img src={url} alt={alt} className="max-h-80 rounded-lg object-contain" />;
}
