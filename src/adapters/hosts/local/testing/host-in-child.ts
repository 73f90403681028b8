/**
 * A stand-in for the daemon in a process of its own: starts one session, says what came of it, and then stays
 * until it is killed. Its one argument is the options and the request as JSON.
 */
import { writeSync } from 'node:fs'
import type { HostRequest } from '../../../../ports/session-host.ts'
import { createLocalHost, type LocalHostOptions } from '../create-local-host.ts'

const { options, request } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly options: LocalHostOptions
  readonly request: HostRequest
}
const host = await createLocalHost(options)
const started = await host.start(request)
writeSync(1, `${JSON.stringify({ started, containment: host.containment })}\n`)
setInterval(() => undefined, 60_000)
