import { setTimeout as pause } from 'node:timers/promises'
import type { DaemonStatus, MusterClient } from '../../client/index.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import type { Problem } from '../problem.ts'
import { auditWords } from '../render/text/audit-words.ts'
import { findRepository } from '../repository/find-repository.ts'
import { agentFindings, type ListedAgents } from './agent-findings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { movedFindings } from './moved-findings.ts'
import { sandboxFinding } from './sandbox-finding.ts'
import { storageFindings } from './storage-findings.ts'

/** Checks the daemon, its database, its sandbox and the agent programs it finds. */
export async function daemonFindings(needs: CommandNeeds): Promise<readonly Finding[]> {
  const connected = await connectDaemon(needs)
  if (!connected.ok) return [unreachable(connected.failure)]
  const { client } = connected.value
  const ready = await readyAgain(client)
  const status = await client.status()
  if (!status.ok) return [unreachable(apiProblem(status.failure)), databaseFinding(ready)]
  const { daemon } = status.value
  const { cwd } = needs.surroundings
  const agents = await client.listAgents((await findRepository(cwd)) ?? cwd, { usability: true })
  return [
    ok('daemon', `version ${daemon.version}, process ${daemon.pid}, at ${client.url}`),
    databaseFinding(ready, daemon),
    await auditFinding(client),
    ...(await storageFindings(client)),
    ...(needs.options.server === undefined ? await movedFindings(client) : []),
    ...ignoredFindings(needs, daemon),
    ...configurationFindings(agents),
    await sandboxFinding(needs, daemon, agents),
    ...(await agentFindings(needs, client, agents)),
  ]
}

function unreachable(problem: Problem): Finding {
  const why = problem.why === undefined ? '' : `\n${problem.why}`
  const logs = 'read the log in the logs directory of the home, or try: muster serve'
  return fail(
    'daemon',
    `${problem.message}${why}`,
    problem.next === 'muster doctor' ? logs : (problem.next ?? logs),
  )
}

type Ready = Awaited<ReturnType<MusterClient['ready']>>

const TRIES = 10
const PAUSE_MS = 500

/** The daemon restarts a database that it can't reach, which takes a moment. */
async function readyAgain(client: MusterClient): Promise<Ready> {
  for (let tries = 1; ; tries += 1) {
    const ready = await client.ready()
    if (ready.ok || ready.failure.type !== 'store-unavailable' || tries === TRIES) return ready
    await pause(PAUSE_MS)
  }
}

function databaseFinding(ready: Ready, daemon?: DaemonStatus): Finding {
  if (!ready.ok)
    return fail(
      'database',
      ready.failure.message,
      ready.failure.next ?? 'muster shutdown, then muster doctor',
    )
  return ok('database', `${DATABASES[daemon?.database ?? 'unknown']} is ready`)
}

/** Earlier versions used any DATABASE_URL, even one that an application's tools had set. */
function ignoredFindings(
  { surroundings: { environment } }: CommandNeeds,
  { database }: DaemonStatus,
): readonly Finding[] {
  if (database !== 'embedded' || !environment['DATABASE_URL'] || environment['MUSTER_DATABASE_URL']) return []
  return [
    warn(
      'database',
      'DATABASE_URL is set, but Muster ignores it and uses its built-in database',
      'ignore this, or set MUSTER_DATABASE_URL to use your own PostgreSQL',
    ),
  ]
}

/** A job reads the same files, and is refused for the same reason. */
function configurationFindings(listed: ListedAgents): readonly Finding[] {
  if (listed.ok) return []
  const detail = `${listed.failure.message}\nno job can start until this is fixed`
  return [fail('configuration', detail, listed.failure.next ?? 'muster list agents')]
}

const DATABASES = {
  embedded: 'built-in PostgreSQL',
  external: 'external PostgreSQL',
  unknown: 'PostgreSQL',
} as const satisfies Record<NonNullable<DaemonStatus['database']> | 'unknown', string>

async function auditFinding(client: MusterClient): Promise<Finding> {
  const checked = await client.verifyAudit()
  if (!checked.ok)
    return warn('audit log', `could not be checked: ${checked.failure.message}`, 'muster audit verify')
  const words = auditWords(checked.value).replace('the audit log ', '')
  return checked.value.status === 'broken'
    ? fail('audit log', words, 'muster audit verify')
    : ok('audit log', words)
}
