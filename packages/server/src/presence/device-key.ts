/** On the bus: for one device of an account. */
export const deviceKey = (id: string) => `d:${id}`;
