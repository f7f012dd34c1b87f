import pg from 'pg';

/** Makes an account an operator, without a running server. Returns false if nobody has the address. */
export async function grantAdmin(databaseUrl: string, email: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `update accounts set role = 'admin' where lower(email) = lower($1) and status = 'active'`,
      [email],
    );
    return rowCount !== 0;
  } finally {
    await client.end();
  }
}
