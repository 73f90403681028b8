/**
 * A stand-in for the daemon in a separate process. It starts one session, prints the result, and then runs until it is
 * killed. Its only argument is JSON with the options and the request.
 */
import { writeSync } from 'node:fs'
import {
  createLocalHost,
  type LocalHostOptions,
} from '../../../src/adapters/hosts/local/create-local-host.ts'
import type { HostRequest } from '../../../src/ports/session-host.ts'

const { options, request } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly options: LocalHostOptions
  readonly request: HostRequest
}
const host = await createLocalHost(options)
const started = await host.start(request)
writeSync(1, `${JSON.stringify({ started, containment: host.containment })}\n`)
setInterval(() => undefined, 60_000)
