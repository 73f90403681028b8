#!/usr/bin/env node
import type { Serve } from './cli/surroundings.ts'

const NEEDED = [22, 13] as const

/** Nothing else is imported before this: an older Node would fail on it with a riddle. */
function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
}

const serve: Serve = async (options) => {
  const daemon = await import('./daemon/serve.ts')
  return daemon.serve(options)
}

if (isOldNode(process.versions.node)) {
  process.stderr.write(
    `error: muster needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}; see https://nodejs.org\n`,
  )
  process.exitCode = 2
} else {
  const { runProcess } = await import('./cli/run-process.ts')
  await runProcess(serve)
}
