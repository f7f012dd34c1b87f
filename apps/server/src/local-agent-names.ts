/** The server's own agents, by the names of their programs and of their files in the data folder. */
export const LOCAL_AGENTS = ['hashee', 'demo-bot'] as const;
