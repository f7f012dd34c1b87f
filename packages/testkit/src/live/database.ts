import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Beside the one at `base`: empty, or a copy of the one called `template`. */
export async function addDatabase(base: string, name: string, template?: string): Promise<TestDatabase> {
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await admin(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) };
}
