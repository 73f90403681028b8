import type { DaemonStatus, MusterClient, WireProvider } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

/** The daemon and what it can tell about its database, its hold on processes, and the agents it finds. */
export async function daemonFindings(needs: CommandNeeds): Promise<readonly Finding[]> {
  const connected = await connectDaemon(needs)
  if (!connected.ok) return [unreachable(connected.failure)]
  const { client } = connected.value
  const status = await client.status()
  if (!status.ok) return [unreachable(apiProblem(status.failure)), await databaseFinding(client)]
  const { daemon } = status.value
  return [
    fine('daemon', `version ${daemon.version}, process ${daemon.pid}, at ${client.url}`),
    await databaseFinding(client, daemon),
    sandboxFinding(daemon),
    ...(await providerFindings(client)),
  ]
}

function unreachable(problem: Problem): Finding {
  const why = problem.why === undefined ? '' : `\n${problem.why}`
  const logs = 'read its log in the logs folder of the home, then try: muster serve'
  return broken(
    'daemon',
    `${problem.message}${why}`,
    problem.next === 'muster doctor' ? logs : (problem.next ?? logs),
  )
}

async function databaseFinding(client: MusterClient, daemon?: DaemonStatus): Promise<Finding> {
  const ready = await client.ready()
  if (!ready.ok)
    return broken(
      'database',
      ready.failure.message,
      ready.failure.next ?? 'muster shutdown, then muster doctor',
    )
  return fine('database', `${daemon?.database ?? 'it'} is ready`)
}

function sandboxFinding({ containment }: DaemonStatus): Finding {
  switch (containment) {
    case 'bubblewrap':
      return fine(
        'sandbox',
        'bubblewrap: agents see and change only what they need, and none outlives a stop',
      )
    case 'pid-namespace':
      return doubtful(
        'sandbox',
        'PID namespaces: no process of an agent outlives a stop, but files are not hidden from agents',
        'install bubblewrap (bwrap) if agents shall see only their own working trees',
      )
    case 'process-group':
      return doubtful(
        'sandbox',
        'none: an agent that detaches its children can leave some behind, and files are not hidden from agents',
        'allow user namespaces on this machine, and install bubblewrap (bwrap), if you want a firmer hold',
      )
    default:
      return assertNever(containment)
  }
}

async function providerFindings(client: MusterClient): Promise<readonly Finding[]> {
  const providers = await client.listProviders()
  if (!providers.ok) return [broken('agents', providers.failure.message, 'muster list agents')]
  return providers.value.items.map(providerFinding)
}

function providerFinding({ id, availability }: WireProvider): Finding {
  const subject = `agent ${safeLine(id)}`
  if (availability.type === 'available') return fine(subject, safeLine(availability.version))
  return doubtful(subject, 'is not installed here', safeLine(availability.install))
}
