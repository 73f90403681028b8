import { Client } from 'pg'
import type { PostgresConnection } from './postgres-server.ts'

export type ConnectionAnswer =
  | { readonly type: 'answered'; readonly version: string; readonly major: number }
  /** It is starting, recovering or shutting down. */
  | { readonly type: 'not-yet' }
  /** All its connections are in use. */
  | { readonly type: 'full' }
  | { readonly type: 'authentication'; readonly detail: string }
  | { readonly type: 'no-database' }
  | { readonly type: 'unreachable'; readonly detail: string; readonly isRefused: boolean }

/** Connects once, reads the version, and disconnects. */
export async function tryConnection(
  connection: PostgresConnection,
  timeoutMs: number,
): Promise<ConnectionAnswer> {
  const client = new Client({ ...connection, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  // A connection that breaks reports it here and to the call in progress; the call's report is used.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; number: number }>(
      "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
    )
    const [row] = rows
    if (row === undefined) throw new Error('PostgreSQL did not return its version')
    return {
      type: 'answered',
      version: row.version.split(' ')[0] ?? row.version,
      major: Math.floor(row.number / 10_000),
    }
  } catch (error) {
    return nameConnectionError(error)
  } finally {
    // The result is known; a failing disconnect changes nothing.
    await client.end().catch(() => undefined)
  }
}

function nameConnectionError(error: unknown): ConnectionAnswer {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const detail = error.message === '' ? code : error.message
  if (code === '57P03' || code === '57P01' || code === '57P02') return { type: 'not-yet' }
  if (code === '53300') return { type: 'full' }
  if (code === '3D000') return { type: 'no-database' }
  if (code.startsWith('28') || /password must be a string/.test(detail))
    return { type: 'authentication', detail }
  return { type: 'unreachable', detail, isRefused: code === 'ECONNREFUSED' || code === 'ENOENT' }
}
