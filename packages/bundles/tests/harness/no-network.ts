/** Stands for the guard where nothing is fetched: a victim starts hundreds of times, and undici is most of it. */
export {};
