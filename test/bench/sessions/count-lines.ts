import pg from 'pg'

/** How many sessions have every line exactly once and in order. */
export async function countWholeSessions(connection: object, linesEach: number): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select session_id, array_agg(split_part(data->>'text', ' ', 2)::int order by seq) as numbers
       from muster.events where type = 'agent_message' and data->>'text' like 'line %' group by session_id
     ) as printed
     where numbers = (select array_agg(number) from generate_series(1, $1::int) as number)`,
    [linesEach],
  )
  await client.end()
  return rows[0]?.count ?? 0
}
