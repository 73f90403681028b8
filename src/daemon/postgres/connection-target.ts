import { Client } from 'pg'

/** What may be said aloud about a connection: everything but the password. */
export type ConnectionTarget = {
  readonly place: string
  readonly user: string
  readonly database: string
}

/** Nothing when the text is no address that the `pg` package understands. */
export function describeTarget(url: string): ConnectionTarget | undefined {
  if (!/^(postgres|postgresql|socket):/.test(url)) return undefined
  try {
    const client = new Client({ connectionString: url })
    return {
      place: client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`,
      user: client.user ?? '',
      database: client.database ?? '',
    }
  } catch (error) {
    // The parser's error quotes the address, password included, so it goes no further.
    if (error instanceof Error) return undefined
    throw error
  }
}
