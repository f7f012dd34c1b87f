import { createContext, useContext } from 'react';

/** Shows a card in the panel beside the conversation; undefined where there is none, or where the card is in it. */
export const OpenInPanel = createContext<((messageKey: string) => void) | undefined>(undefined);

export const useOpenInPanel = () => useContext(OpenInPanel);
