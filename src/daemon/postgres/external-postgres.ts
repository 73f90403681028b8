import { Client } from 'pg'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import type { PostgresServer } from './postgres-server.ts'
import { type ConnectionAnswer, tryConnection } from './try-connection.ts'

const NEEDED_MAJOR = 15
const CONNECT_TIMEOUT_MS = 10_000

/** A PostgreSQL that someone else runs: it is checked, never started or stopped. */
export async function openExternalPostgres(url: string): Promise<Result<PostgresServer, PostgresFailure>> {
  const target = describeTarget(url)
  if (target === undefined) return failure({ type: 'url-invalid' })

  const checked = await check(url, target)
  if (!checked.ok) return checked
  return success(createServer(url, target, checked.value))
}

function createServer(url: string, target: ConnectionTarget, version: string): PostgresServer {
  let isClosed = false
  const stop = async () => {
    isClosed = true
  }
  return {
    connection: { connectionString: url },
    version,
    async ensureRunning() {
      if (isClosed) return failure({ type: 'closed' })
      const checked = await check(url, target)
      return checked.ok ? success(undefined) : checked
    },
    stop,
    abandon() {
      isClosed = true
    },
    [Symbol.asyncDispose]: stop,
  }
}

async function check(url: string, target: ConnectionTarget): Promise<Result<string, PostgresFailure>> {
  const answer = await tryConnection({ connectionString: url }, CONNECT_TIMEOUT_MS)
  if (answer.type !== 'answered') return failure(nameAnswer(answer, target))
  if (answer.major >= NEEDED_MAJOR) return success(answer.version)
  return failure({
    type: 'server-too-old',
    target: target.place,
    found: answer.version,
    neededMajor: NEEDED_MAJOR,
  })
}

function nameAnswer(
  answer: Exclude<ConnectionAnswer, { type: 'answered' }>,
  target: ConnectionTarget,
): PostgresFailure {
  switch (answer.type) {
    case 'authentication':
      return {
        type: 'authentication-refused',
        target: target.place,
        user: target.user,
        detail: answer.detail,
      }
    case 'no-database':
      return { type: 'database-missing', target: target.place, database: target.database }
    case 'not-yet':
      return { type: 'unreachable', target: target.place, detail: 'it is starting or shutting down' }
    case 'full':
      return { type: 'unreachable', target: target.place, detail: 'all its connections are in use' }
    default:
      return { type: 'unreachable', target: target.place, detail: answer.detail }
  }
}

/** The parts of a connection that may be shown: everything but the password. */
type ConnectionTarget = {
  readonly place: string
  readonly user: string
  readonly database: string
}

/** Undefined if the `pg` package can't parse the URL. */
function describeTarget(url: string): ConnectionTarget | undefined {
  if (!/^(postgres|postgresql|socket):/.test(url)) return undefined
  try {
    const client = new Client({ connectionString: url })
    return {
      place: client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`,
      user: client.user ?? '',
      database: client.database ?? '',
    }
  } catch (error) {
    // The parser's error quotes the URL, including the password, so it goes no further.
    if (error instanceof Error) return undefined
    throw error
  }
}
