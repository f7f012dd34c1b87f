import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database on the server of `base`: empty, or a copy of the one called `template`. */
export async function addDatabase(base: string, name: string, template?: string): Promise<TestDatabase> {
  // A database that was copied file by file is also dropped in half the time.
  const source = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await runStatement(base, `create database ${name}${source}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runStatement(base, `drop database ${name} with (force)`) };
}

export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
